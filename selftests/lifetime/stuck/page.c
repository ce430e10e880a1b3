// SPDX-License-Identifier: GPL-2.0
/*
 * /dev/tcp_abt_stuck: a page that does not come until it is written.
 *
 * Whoever touches the mapping sleeps in the page fault, as on a page of userfaultfd(2) or of
 * a file system in user space; the kernels of the virtual lab have neither. A write of a
 * page is what the mapping holds from then on, and lets all go on.
 */
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/uaccess.h>
#include <linux/wait.h>

static DECLARE_WAIT_QUEUE_HEAD(stuck_wait);
static struct page *stuck_page;
static bool stuck_is_there;

static vm_fault_t stuck_fault(struct vm_fault *vmf)
{
	if (wait_event_killable(stuck_wait, READ_ONCE(stuck_is_there)))
		return VM_FAULT_SIGBUS;
	get_page(stuck_page);
	vmf->page = stuck_page;
	return 0;
}

static const struct vm_operations_struct stuck_vm_ops = {
	.fault = stuck_fault,
};

static int stuck_mmap(struct file *file, struct vm_area_struct *vma)
{
	vma->vm_ops = &stuck_vm_ops;
	return 0;
}

/* Each test begins without the page. */
static int stuck_open(struct inode *inode, struct file *file)
{
	WRITE_ONCE(stuck_is_there, false);
	return 0;
}

static ssize_t stuck_write(struct file *file, const char __user *text,
			   size_t size, loff_t *pos)
{
	if (size != PAGE_SIZE)
		return -EINVAL;
	if (copy_from_user(page_address(stuck_page), text, size))
		return -EFAULT;
	WRITE_ONCE(stuck_is_there, true);
	wake_up_all(&stuck_wait);
	return size;
}

static const struct file_operations stuck_fops = {
	.owner = THIS_MODULE,
	.open = stuck_open,
	.mmap = stuck_mmap,
	.write = stuck_write,
};

static struct miscdevice stuck_device = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "tcp_abt_stuck",
	.fops = &stuck_fops,
};

static int __init stuck_init(void)
{
	int err;

	stuck_page = alloc_page(GFP_KERNEL | __GFP_ZERO);
	if (!stuck_page)
		return -ENOMEM;
	err = misc_register(&stuck_device);
	if (err)
		__free_page(stuck_page);
	return err;
}

static void __exit stuck_exit(void)
{
	misc_deregister(&stuck_device);
	__free_page(stuck_page);
}

module_init(stuck_init);
module_exit(stuck_exit);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("A page that does not come until it is written, for the tests of tcp_abt");
