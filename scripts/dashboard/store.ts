import { of, perSecond, quantile } from './expressions.ts'
import { lines } from './panels.ts'

const operations = 'dragoman_store_operation_duration_seconds'
const lookups = 'dragoman_binding_lookups_total'

/** What keeps state: bindings, jobs and the store. */
export const storeRow = {
  title: 'Bindings, jobs and the store',
  panels: [
    lines({
      title: 'Look-ups of bindings',
      description:
        'Calls each second that refer to an earlier response. `not_found`: unknown or expired. `lookup_error`: the store did not answer, and the client got 503.',
      unit: 'ops',
      queries: [{ expr: perSecond('result', lookups), legend: '{{result}}' }],
      isStacked: true,
      width: 8,
    }),
    lines({
      title: 'Jobs by state',
      description:
        'Videos in the store by their last known state, at most 5,000 of all. A state changes when a client asks for it.',
      unit: 'short',
      queries: [
        {
          expr: `max by (kind, state) (${of('dragoman_jobs')})`,
          legend: '{{kind}}: {{state}}',
        },
      ],
      width: 8,
    }),
    lines({
      title: 'Operations on the store',
      description:
        'Operations each second. The gateway asks it every two seconds without a call, too.',
      unit: 'ops',
      queries: [
        {
          expr: perSecond('op', `${operations}_count`),
          legend: '{{op}}',
        },
      ],
      isStacked: true,
      width: 8,
    }),
    lines({
      title: 'Duration of operations, P99',
      description: 'An operation has 300 ms. One that takes longer fails.',
      unit: 's',
      queries: [
        {
          expr: quantile(0.99, 'op', operations),
          legend: '{{op}}',
        },
      ],
      limits: [[0.1, 'red']],
      width: 8,
    }),
    lines({
      title: 'Failed operations',
      description:
        'The share of operations that failed. `unavailable`: the store did not answer in time. While it is away, chains and unknown keys get 503.',
      unit: 'percentunit',
      queries: [
        {
          expr:
            perSecond('error_type', `${operations}_count`, 'error_type!=""') +
            ` / on () group_left () ${perSecond('', `${operations}_count`)}`,
          legend: '{{error_type}}',
        },
      ],
      limits: [[0.01, 'red']],
      width: 8,
    }),
    lines({
      title: 'Chains that cannot go on',
      description: 'The share of calls with an earlier response that failed, for each reason.',
      unit: 'percentunit',
      queries: [
        {
          expr:
            perSecond('result', lookups, 'result!="hit"') +
            ` / on () group_left () ${perSecond('', lookups)}`,
          legend: '{{result}}',
        },
      ],
      width: 8,
    }),
  ],
}
