import { isCall, ofModel, perSecond, quantiles } from './expressions.ts'
import { lines } from './panels.ts'

const requests = 'http_server_request_duration_seconds_count'
const calls = 'gen_ai_server_request_duration_seconds'

/** The requests of clients, and their errors. */
export const requestRow = {
  title: 'Requests',
  panels: [
    lines({
      title: 'Calls by dialect',
      description: 'Calls of models each second, by the dialect of their client.',
      unit: 'reqps',
      queries: [{ expr: perSecond('dialect', `${calls}_count`, ofModel), legend: '{{dialect}}' }],
      isStacked: true,
      width: 8,
    }),
    lines({
      title: 'Replies by status',
      description:
        'Replies each second. 499: the client left before the reply. 429 means that all accounts of a model ask for a pause, or that a limit of the gateway is reached.',
      unit: 'reqps',
      queries: [
        {
          expr: perSecond('http_response_status_code', requests, isCall),
          legend: '{{http_response_status_code}}',
        },
      ],
      isStacked: true,
      width: 8,
    }),
    lines({
      title: 'Errors by reason',
      description:
        'Requests each second that ended with an error. docs/metrics.md explains the reasons: a status is that of the account or of the gateway.',
      unit: 'reqps',
      queries: [
        {
          expr: perSecond('error_type', requests, isCall, 'error_type!=""'),
          legend: '{{error_type}}',
        },
      ],
      isStacked: true,
      width: 8,
    }),
    lines({
      title: 'Requests by route',
      description: 'Requests each second, probes included. Unknown paths have no route.',
      unit: 'reqps',
      queries: [
        {
          expr: perSecond('http_request_method, http_route', requests),
          legend: '{{http_request_method}} {{http_route}}',
        },
      ],
      width: 8,
    }),
    lines({
      title: 'Duration of calls',
      description: 'From the head of a call to the last byte of its reply.',
      unit: 's',
      queries: quantiles(calls, ofModel),
      width: 8,
    }),
    lines({
      title: 'Refused credentials',
      description:
        'Requests each second that were refused for their key. `scope`: the key may not use the model. `unavailable`: the store did not answer, so the key could not be looked up.',
      unit: 'reqps',
      queries: [
        { expr: perSecond('reason', 'dragoman_auth_failures_total'), legend: '{{reason}}' },
      ],
      width: 8,
    }),
  ],
}
