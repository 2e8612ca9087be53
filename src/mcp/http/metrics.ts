// Counts in the text form of Prometheus: https://prometheus.io/docs/instrumenting/exposition_formats/

export interface Metric {
  /** Without the prefix; counters end in `_total`, the others in their unit. */
  readonly name: string;
  readonly help: string;
  /** Undefined is left out: it is not known. */
  readonly value: number | undefined;
}

/** The page, with its last newline. */
export function metricsText(metrics: readonly Metric[]): string {
  return metrics.map(metricLines).join('');
}

function metricLines({ name, help, value }: Metric): string {
  if (value === undefined) return '';
  const full = `shellkeep_${name}`;
  return `# HELP ${full} ${help}\n# TYPE ${full} ${name.endsWith('_total') ? 'counter' : 'gauge'}\n${full} ${value}\n`;
}
