import { of, ofAccount, ofModel, ofPool, perSecond } from './expressions.ts'
import { lines, timeline } from './panels.ts'

const attempts = 'dragoman_upstream_attempts_total'
const model = 'gen_ai_request_model'

/** The accounts, and the attempts at them. */
export const accountRow = {
  title: 'Accounts',
  panels: [
    timeline({
      title: 'Circuits',
      description:
        'The worst circuit of each account, of all its dialects and gateways: at most thirty accounts, those in trouble first. Half-open: one call at a time tries the account.',
      unit: 'short',
      queries: [
        {
          expr: `topk(30, max by (account) (${of('dragoman_account_circuit_state', ofAccount)}))`,
          legend: '{{account}}',
        },
      ],
      mappings: [
        [0, 'closed', 'green'],
        [1, 'half-open', 'yellow'],
        [2, 'open', 'red'],
      ],
      limits: [
        [1, 'yellow'],
        [2, 'red'],
      ],
      width: 12,
    }),
    timeline({
      title: 'Accounts that are kept out',
      description:
        'What keeps calls from an account or from one of its dialects, while it does, and how many of its models get none. `refused`: its credential or credit (401, 402, 403). `cooling`: it asked for a pause (429). `disabled`: by the configuration or an operator.',
      unit: 'short',
      queries: [
        {
          expr: `max by (account, reason) (${of('dragoman_account_excluded', ofAccount)})`,
          legend: '{{account}}: {{reason}}',
        },
        {
          expr: `max by (account, reason) (${of('dragoman_account_models_excluded', ofAccount)})`,
          legend: '{{account}}: models {{reason}}',
        },
      ],
      mappings: [],
      limits: [[1, 'red']],
      width: 12,
    }),
    timeline({
      title: 'Models',
      description:
        'Whether the calls of a model get to an account: at most thirty models, those without an account first. Their calls get 503.',
      unit: 'short',
      queries: [
        {
          expr: `bottomk(30, min by (${model}) (${of('dragoman_model_available', ofModel)}))`,
          legend: `{{${model}}}`,
        },
      ],
      mappings: [
        [0, 'no account', 'red'],
        [1, 'served', 'green'],
      ],
      width: 12,
    }),
    lines({
      title: 'In flight by account',
      description: 'Calls that an account works on, at most thirty accounts.',
      unit: 'short',
      queries: [
        {
          expr: `topk(30, sum by (account) (${of('dragoman_account_inflight', ofAccount)}))`,
          legend: '{{account}}',
        },
      ],
      isStacked: true,
      width: 6,
    }),
    lines({
      title: 'Limits in use by account',
      description:
        'Calls at once as a share of `maxConcurrent`, of the accounts that have one. At 100 % calls go elsewhere, or get 429.',
      unit: 'percentunit',
      queries: [
        {
          expr: `topk(30, sum by (account) (${of('dragoman_account_inflight', ofAccount)}) / sum by (account) (${of('dragoman_account_max_concurrent', ofAccount)}))`,
          legend: '{{account}}',
        },
      ],
      width: 6,
    }),
    lines({
      title: 'Attempts by account',
      description: 'Attempts each second. A call that fails over has several.',
      unit: 'ops',
      queries: [{ expr: perSecond('account', attempts, ofAccount), legend: '{{account}}' }],
      isStacked: true,
      width: 8,
    }),
    lines({
      title: 'Failed attempts by account and reason',
      description:
        'Attempts each second that failed. The reason is the status of the account, or the fault of the connection.',
      unit: 'ops',
      queries: [
        {
          expr: `topk(20, ${perSecond('account, error_type', attempts, ofAccount, 'error_type!=""')})`,
          legend: '{{account}}: {{error_type}}',
        },
      ],
      width: 8,
    }),
    lines({
      title: 'Failovers by reason',
      description:
        'Calls each second that went on to another account, with the reason of the first failure. Clients of these calls saw no error.',
      unit: 'ops',
      queries: [
        {
          expr: perSecond('reason', 'dragoman_failovers_total', ofPool),
          legend: '{{reason}}',
        },
      ],
      isStacked: true,
      width: 8,
    }),
  ],
}
