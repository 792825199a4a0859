import { ofModel, perSecond, quantile, quantiles } from './expressions.ts'
import { lines } from './panels.ts'

/** The streams of clients. */
export const streamRow = {
  title: 'Streams and latency',
  panels: [
    lines({
      title: 'Time to first token',
      description: 'Of streamed calls, from the arrival of the call to its first output.',
      unit: 's',
      queries: quantiles('gen_ai_server_time_to_first_token_seconds', ofModel),
      limits: [[10, 'red']],
      width: 8,
    }),
    lines({
      title: 'Time to first token by model, P95',
      description: 'The ten models whose streams begin last.',
      unit: 's',
      queries: [
        {
          expr: `topk(10, ${quantile(0.95, 'gen_ai_request_model', 'gen_ai_server_time_to_first_token_seconds', ofModel)})`,
          legend: '{{gen_ai_request_model}}',
        },
      ],
      width: 8,
    }),
    lines({
      title: 'Time per output token',
      description: 'Of streams, for each token after the first: how fast text appears.',
      unit: 's',
      queries: quantiles('gen_ai_server_time_per_output_token_seconds', ofModel),
      width: 8,
    }),
    lines({
      title: 'Overhead of the gateway',
      description:
        'Time of a call in which no account worked on it: the gateway, its store, and slow clients. Without slow clients P50 is below a few milliseconds.',
      unit: 's',
      queries: quantiles('dragoman_overhead_duration_seconds'),
      limits: [[0.1, 'red']],
      width: 8,
    }),
    lines({
      title: 'Streams by their end',
      description:
        'Streams each second that ended. `error`: the stream broke, and its client got an error. `drained`: the gateway shut down.',
      unit: 'ops',
      queries: [
        { expr: perSecond('reason', 'dragoman_streams_ended_total'), legend: '{{reason}}' },
      ],
      isStacked: true,
      width: 8,
    }),
    lines({
      title: 'Broken streams',
      description: 'The share of streams that ended with an error, by the dialect of their client.',
      unit: 'percentunit',
      queries: [
        {
          expr:
            perSecond('dialect', 'dragoman_streams_ended_total', 'reason="error"') +
            ` / ${perSecond('dialect', 'dragoman_streams_ended_total')}`,
          legend: '{{dialect}}',
        },
      ],
      limits: [[0.05, 'red']],
      width: 8,
    }),
  ],
}
