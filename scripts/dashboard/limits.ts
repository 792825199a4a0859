import { of, ofPool, perSecond } from './expressions.ts'
import { lines } from './panels.ts'

const owners = ' It needs `telemetry.metrics.by`.'

/** Limits and budgets, fallbacks, and the use of keys and teams. */
export const limitRow = {
  title: 'Limits and budgets',
  panels: [
    lines({
      title: 'Fallbacks by reason',
      description:
        'Calls each second that went on to another model, by the kind of failure of the model before it.',
      unit: 'ops',
      queries: [
        {
          expr: perSecond('reason', 'dragoman_fallbacks_total', ofPool),
          legend: '{{reason}}',
        },
      ],
      isStacked: true,
      width: 8,
    }),
    lines({
      title: 'Shares of budgets',
      description: 'Alerts each second: shares of budgets that were reached. The log names them.',
      unit: 'ops',
      queries: [{ expr: perSecond('', 'dragoman_limit_alerts_total'), legend: 'alerts' }],
      width: 8,
    }),
    lines({
      title: 'Limits without the store',
      description:
        'Decisions each second that a process made alone, charges that wait for the store, and charges that are lost.',
      unit: 'short',
      queries: [
        { expr: perSecond('', 'dragoman_limits_degraded_total'), legend: 'decided alone' },
        { expr: `sum(${of('dragoman_limits_settlements_waiting')})`, legend: 'waiting' },
        { expr: perSecond('', 'dragoman_limits_settlements_lost_total'), legend: 'lost' },
      ],
      width: 8,
    }),
    lines({
      title: 'Calls by key and team',
      description: `The ten keys and the ten teams with the most calls each second.${owners}`,
      unit: 'ops',
      queries: topOf('dragoman_usage_calls_total'),
      width: 8,
    }),
    lines({
      title: 'Tokens by key and team',
      description: `The ten keys and the ten teams with the most tokens each second.${owners}`,
      unit: 'suffix: tok/s',
      queries: topOf('dragoman_usage_tokens_total'),
      width: 8,
    }),
    lines({
      title: 'Costs by key and team',
      description: `The ten keys and the ten teams with the greatest known costs each hour.${owners}`,
      unit: 'currencyUSD',
      queries: topOf('dragoman_usage_cost_usd_total', ' * 3600'),
      width: 8,
    }),
  ],
}

function topOf(metric: string, factor = '') {
  return ['key', 'team'].map((by) => ({
    expr: `topk(10, ${perSecond('id', metric, `by="${by}"`)}${factor})`,
    legend: `${by} {{id}}`,
  }))
}
