// SPDX-License-Identifier: GPL-2.0
// The dashboard as Grafana lays it out, by Grafana's own components; shoot puts what they show into the page.
import '@fontsource/inter/latin-400.css';
import '@fontsource/inter/latin-500.css';
import 'uplot/dist/uPlot.min.css';
import {
  applyFieldOverrides, applyNullInsertThreshold, createTheme, DataFrame, dateTime, FieldConfigPropertyItem,
  FieldConfigSource, FieldType, identityOverrideProcessor, Registry, renderLegendFormat, ThemeContext, TimeRange,
  toDataFrame,
} from '@grafana/data';
import { GlobalStyles, InlineLabel, PageToolbar, PanelChrome, TimeRangePicker, TimeSeries } from '@grafana/ui';
import { ComponentProps } from 'react';
import { createRoot } from 'react-dom/client';

type Legend = ComponentProps<typeof TimeSeries>['legend'];
interface Series { metric: Record<string, string>; values: Array<[number, string]> }
interface Target { refId: string; legendFormat: string }
interface Panel {
  id: number; title: string; description: string; targets: Target[]; fieldConfig: FieldConfigSource;
  gridPos: { x: number; y: number; w: number; h: number };
  options: { legend: Partial<Legend> };
}
interface Shown {
  dashboard: { title: string; panels: Panel[] }; hosts: string; from: number; to: number; step: number;
  answers: Record<string, Record<string, Series[]>>;
}

const shown: Shown = JSON.parse(document.body.dataset.shown!);
const theme = createTheme({ colors: { mode: 'light' } });
const timeZone = 'utc';

// Of Grafana's grid, in pixels
const COLUMNS = 24;
const ROW = 30;
const GAP = 8;
const MARGIN = 16;

// What Grafana's time series panel, which is not in its libraries, takes where the dashboard is silent
const DEFAULTS = {
  color: { mode: 'palette-classic' },
  custom: {
    drawStyle: 'line', lineInterpolation: 'linear', lineWidth: 1, lineStyle: { fill: 'solid' }, fillOpacity: 0,
    gradientMode: 'none', barAlignment: 0, showPoints: 'auto', pointSize: 5, spanNulls: false,
    stacking: { mode: 'none', group: 'A' }, axisPlacement: 'auto', axisLabel: '', axisColorMode: 'text',
    axisBorderShow: false, axisCenteredZero: false, scaleDistribution: { type: 'linear' },
    hideFrom: { tooltip: false, viz: false, legend: false }, thresholdsStyle: { mode: 'off' },
  },
};

// What a field can be told, by its defaults or an override: applyFieldOverrides knows nothing by itself
function option(id: string, isCustom: boolean) {
  return { id: isCustom ? `custom.${id}` : id, path: id, name: id, isCustom, process: identityOverrideProcessor,
    shouldApply: (field) => field.type !== FieldType.time } as Partial<FieldConfigPropertyItem> as FieldConfigPropertyItem;
}

const registry = new Registry<FieldConfigPropertyItem>(() => [
  ...['unit', 'min', 'max', 'decimals', 'displayName', 'color', 'thresholds'].map((id) => option(id, false)),
  ...Object.keys(DEFAULTS.custom).map((id) => option(id, true)),
]);

function frame(target: Target, { metric, values }: Series): DataFrame {
  const samples = toDataFrame({
    refId: target.refId,
    fields: [
      { name: 'Time', type: FieldType.time, values: values.map(([at]) => at * 1000), config: { interval: shown.step } },
      { name: 'Value', type: FieldType.number, values: values.map(([, value]) => Number(value)), labels: metric,
        config: { displayNameFromDS: renderLegendFormat(target.legendFormat, metric) } },
    ],
  });
  // A gap where there is no sample
  return applyNullInsertThreshold({ frame: samples, refFieldPseudoMin: shown.from, refFieldPseudoMax: shown.to });
}

function frames(panel: Panel): DataFrame[] {
  const { defaults, overrides } = panel.fieldConfig;
  const custom = { ...DEFAULTS.custom, ...defaults.custom };
  return applyFieldOverrides({
    data: panel.targets.flatMap((target) => shown.answers[panel.id][target.refId].map((series) => frame(target, series))),
    fieldConfig: { defaults: { ...DEFAULTS, ...defaults, custom }, overrides },
    fieldConfigRegistry: registry, replaceVariables: (text) => text, theme, timeZone,
  });
}

function Place({ panel, timeRange }: { panel: Panel; timeRange: TimeRange }) {
  const column = (innerWidth - 2 * MARGIN + GAP) / COLUMNS;
  const { x, y, w, h } = panel.gridPos;
  const legend = { showLegend: true, calcs: [], ...panel.options.legend } as Legend;
  const [width, height] = [w * column - GAP, h * (ROW + GAP) - GAP];
  return (
    <div style={{ position: 'absolute', left: x * column, top: y * (ROW + GAP), width, height }}>
      <PanelChrome title={panel.title} description={panel.description} width={width} height={height} padding="none">
        {(innerWidth, innerHeight) => (
          <div style={{ padding: theme.spacing(1) }}>
            <TimeSeries frames={frames(panel)} legend={legend}
              timeRange={timeRange} timeZone={timeZone} width={innerWidth - 16} height={innerHeight - 16} />
          </div>
        )}
      </PanelChrome>
    </div>
  );
}

function Dashboard() {
  const [from, to] = [dateTime(shown.from), dateTime(shown.to)];
  const timeRange = { from, to, raw: { from, to } };
  const ignore = () => {};
  return (
    <ThemeContext.Provider value={theme}>
      <GlobalStyles />
      <PageToolbar title={shown.dashboard.title} isFullscreen={true} forceShowLeftItems={true}
        leftItems={[<InlineLabel width="auto">Host: {shown.hosts}</InlineLabel>]}>
        <TimeRangePicker value={timeRange} timeZone={timeZone} onChange={ignore} onChangeTimeZone={ignore}
          onMoveBackward={ignore} onMoveForward={ignore} onZoom={ignore} />
      </PageToolbar>
      <div style={{ position: 'relative', margin: MARGIN, marginTop: 0 }}>
        {shown.dashboard.panels.map((panel) => <Place key={panel.id} panel={panel} timeRange={timeRange} />)}
      </div>
    </ThemeContext.Provider>
  );
}

// An axis is painted once: its letters have to be there
Promise.all([400, 500].map((weight) => document.fonts.load(`${weight} 12px Inter`))).then(() =>
  createRoot(document.body.appendChild(document.createElement('main'))).render(<Dashboard />));
