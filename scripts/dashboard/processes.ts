import { of } from './expressions.ts'
import { lines, table } from './panels.ts'

const perInstance = (metric: string, legend: string) => ({ expr: of(metric), legend })

/** The processes of the gateways. A series is a gateway with all its workers. */
export const processRow = {
  title: 'Processes',
  panels: [
    lines({
      title: 'Delay of the event loop',
      description:
        'How late the event loop is. A delay of 0.1 s is in every reply: the process has more work than one core can do.',
      unit: 's',
      queries: [
        perInstance('nodejs_eventloop_lag_p99_seconds', '{{instance}} P99'),
        perInstance('nodejs_eventloop_lag_max_seconds', '{{instance}} longest'),
      ],
      limits: [[0.2, 'red']],
      width: 8,
    }),
    lines({
      title: 'Memory',
      description: 'Resident memory of all workers, of the memory of the container or the machine.',
      unit: 'percentunit',
      queries: [
        {
          expr: `${of('process_resident_memory_bytes')} / ${of('process_memory_limit_bytes')}`,
          legend: '{{instance}} of the limit',
        },
        {
          expr: `${of('nodejs_heap_used_bytes')} / ${of('nodejs_heap_limit_bytes')}`,
          legend: '{{instance}} heap of JavaScript',
        },
      ],
      limits: [[0.9, 'red']],
      width: 8,
    }),
    lines({
      title: 'Resident memory',
      description: 'A line that rises for hours without more requests is a leak.',
      unit: 'bytes',
      queries: [perInstance('process_resident_memory_bytes', '{{instance}}')],
      width: 8,
    }),
    lines({
      title: 'Processor',
      description: 'Cores in use by all workers. One worker uses about one core.',
      unit: 'short',
      queries: [
        {
          expr: `rate(${of('process_cpu_seconds_total')}[$__rate_interval])`,
          legend: '{{instance}}',
        },
        perInstance('dragoman_processes', '{{instance}} workers'),
      ],
      width: 8,
    }),
    lines({
      title: 'Open files and sockets',
      description: 'The share of those that may be open. A call needs two.',
      unit: 'percentunit',
      queries: [
        { expr: `${of('process_open_fds')} / ${of('process_max_fds')}`, legend: '{{instance}}' },
      ],
      limits: [[0.8, 'red']],
      width: 8,
    }),
    lines({
      title: 'Reloads of the configuration',
      description:
        '0: the last reload was refused, and the gateway runs on with the configuration before it. `dragoman check` names the problem.',
      unit: 'short',
      queries: [
        perInstance('dragoman_config_last_reload_successful', '{{instance}} succeeded'),
        {
          expr: `sum by (result) (increase(${of('dragoman_config_reloads_total')}[$__rate_interval]))`,
          legend: 'reloads: {{result}}',
        },
      ],
      width: 8,
    }),
    table({
      title: 'Gateways',
      description:
        'The version of each gateway, its workers, and when it started and read its configuration.',
      unit: 'short',
      queries: [
        { expr: of('dragoman_build_info'), legend: '' },
        { expr: `sum by (job, instance) (${of('dragoman_processes')})`, legend: '' },
        { expr: `${sumOf('process_start_time_seconds')} * 1000`, legend: '' },
        { expr: `${sumOf('dragoman_config_last_reload_timestamp_seconds')} * 1000`, legend: '' },
      ],
      columns: [
        { field: 'job', title: 'job' },
        { field: 'instance', title: 'gateway' },
        { field: 'version', title: 'version' },
        { field: 'Value #B', title: 'workers', unit: 'short' },
        { field: 'Value #C', title: 'started', unit: 'dateTimeAsIso' },
        { field: 'Value #D', title: 'configuration of', unit: 'dateTimeAsIso' },
      ],
      width: 16,
      height: 8,
    }),
    lines({
      title: 'Series beyond the limit',
      description:
        'Metrics with more than 500 combinations of labels. What exceeds them is one series, so that these numbers are not whole.',
      unit: 'short',
      queries: [
        {
          expr: 'count by (__name__) ({__name__=~"(dragoman|gen_ai|http_server)_.+", job=~"$job", instance=~"$instance", otel_metric_overflow="true"})',
          legend: '{{__name__}}',
        },
      ],
      width: 8,
    }),
  ],
}

function sumOf(metric: string): string {
  return `sum by (job, instance) (${of(metric)})`
}
