import {
  failedCalls,
  isCall,
  isFailure,
  inRange,
  of,
  ofModel,
  orZero,
  perSecond,
  quantile,
  quantileInRange,
  tokensPerSecond,
} from './expressions.ts'
import { lines, stat, table } from './panels.ts'

const requests = 'http_server_request_duration_seconds_count'
const calls = 'gen_ai_server_request_duration_seconds'
const model = 'gen_ai_request_model'

const numbers = [
  stat({
    title: 'Gateways',
    description:
      'Gateways that Prometheus scrapes. Fewer than there should be: see the alert DragomanDown.',
    unit: 'short',
    queries: [{ expr: `count(${of('dragoman_build_info')})`, legend: 'gateways' }],
    width: 3,
  }),
  stat({
    title: 'Requests',
    description: 'Requests of clients each second, without probes and unknown paths.',
    unit: 'reqps',
    queries: [{ expr: perSecond('', requests, isCall), legend: 'requests' }],
    width: 3,
  }),
  stat({
    title: 'Failed',
    description:
      'The share of requests that got a status of 500 or more, or whose reply broke off. More than 1 % for long uses up an error budget of 99 %.',
    unit: 'percentunit',
    queries: [{ expr: `${failedCalls()} / ${perSecond('', requests, isCall)}`, legend: 'failed' }],
    limits: [
      [0.01, 'orange'],
      [0.05, 'red'],
    ],
    width: 3,
  }),
  stat({
    title: 'In flight now',
    description: 'Requests that are being served now, streams included.',
    unit: 'short',
    queries: [{ expr: `sum(${of('http_server_active_requests')})`, legend: 'in flight' }],
    width: 3,
  }),
  stat({
    title: 'Time to first token, P95',
    description: 'Of streamed calls, from the arrival of the call to its first output.',
    unit: 's',
    queries: [
      {
        expr: quantile(0.95, '', 'gen_ai_server_time_to_first_token_seconds', ofModel),
        legend: 'P95',
      },
    ],
    limits: [
      [5, 'orange'],
      [10, 'red'],
    ],
    width: 3,
  }),
  stat({
    title: 'Duration, P95',
    description: 'Of calls to their last byte. Long answers are long: compare with yesterday.',
    unit: 's',
    queries: [{ expr: quantile(0.95, '', calls, ofModel), legend: 'P95' }],
    width: 3,
  }),
  stat({
    title: 'Output tokens',
    description: 'Tokens that accounts produce each second, as they report them.',
    unit: 'suffix: tok/s',
    queries: [{ expr: orZero(tokensPerSecond('', 'output')), legend: 'output tokens' }],
    width: 3,
  }),
  stat({
    title: 'Accounts without calls',
    description:
      'Accounts that are disabled or kept out of all their models at a gateway: by an open circuit, a refused credential or a pause. The row "Accounts" has their names.',
    unit: 'short',
    queries: [
      {
        expr: orZero(
          `count(min by (account) (max by (job, instance, account) (${of('dragoman_account_available')})) == 0)`,
        ),
        legend: 'accounts',
      },
    ],
    limits: [[1, 'orange']],
    width: 3,
  }),
]

const alerts = table({
  title: 'Alerts',
  description:
    'Alerts of deploy/prometheus/rules.yaml that fire, or that will if it goes on. Each has a section in the runbooks.',
  unit: 'short',
  queries: [{ expr: 'ALERTS{alertname=~"Dragoman.+", job=~"$job|"}', legend: '' }],
  columns: [
    { field: 'alertname', title: 'alert' },
    { field: 'alertstate', title: 'state' },
    { field: 'severity', title: 'severity' },
    { field: 'account', title: 'account' },
    { field: model, title: 'model' },
    { field: 'instance', title: 'gateway' },
  ],
  width: 12,
  height: 8,
})

const models = table({
  title: 'Models',
  description:
    'Calls of each model in the time shown. "Failed" leaves out failures that clients caused, such as invalid requests.',
  unit: 'short',
  queries: [
    { expr: inRange(model, `${calls}_count`, ofModel, `${model}!=""`), legend: '' },
    {
      expr:
        inRange(model, `${calls}_count`, ofModel, `${model}!=""`, isFailure) +
        ` / ${inRange(model, `${calls}_count`, ofModel, `${model}!=""`)}`,
      legend: '',
    },
    {
      expr: quantileInRange(0.95, model, 'gen_ai_server_time_to_first_token_seconds', ofModel),
      legend: '',
    },
  ],
  columns: [
    { field: model, title: 'model' },
    { field: 'Value #A', title: 'calls', unit: 'short' },
    {
      field: 'Value #B',
      title: 'failed',
      unit: 'percentunit',
      limits: [
        [0.01, 'orange'],
        [0.05, 'red'],
      ],
    },
    { field: 'Value #C', title: 'first token, P95', unit: 's', limits: [[10, 'red']] },
  ],
  width: 12,
  height: 8,
})

/** How the gateways are, on one screen. */
export const overview = {
  title: 'Overview',
  panels: [
    ...numbers,
    alerts,
    models,
    lines({
      title: 'Requests and failures',
      description: 'Requests of clients each second, and those of them that failed.',
      unit: 'reqps',
      queries: [
        { expr: perSecond('', requests, isCall), legend: 'requests' },
        { expr: failedCalls(), legend: 'failed' },
      ],
      width: 12,
    }),
    lines({
      title: 'In flight',
      description:
        'Requests and streams that are being served, and open WebSockets. A line that only rises means that replies do not end.',
      unit: 'short',
      queries: [
        { expr: `sum(${of('http_server_active_requests')})`, legend: 'requests' },
        {
          expr: `sum by (dialect) (${of('dragoman_streams_active')})`,
          legend: 'streams: {{dialect}}',
        },
        { expr: `sum(${of('dragoman_sockets_open')})`, legend: 'sockets' },
      ],
      width: 12,
    }),
  ],
}
