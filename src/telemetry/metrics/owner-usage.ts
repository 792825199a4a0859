import type { Ended } from '../../contract/exchange.ts'
import type { MetricsSetting } from '../settings.ts'
import { requestMetrics as metrics } from './catalog.ts'
import { type Registry, type Series, count } from './registry.ts'

/** The series of a key or a team. */
interface OwnerSeries {
  readonly calls: Series
  readonly input: Series
  readonly output: Series
  readonly cost: Series
}

/** Counts the calls of keys and teams, where the configuration asks for it; `undefined` elsewhere. */
export function createOwnerUsage(
  registry: Registry,
  by: MetricsSetting['by'],
): ((exchange: Ended) => void) | undefined {
  if (by.length === 0) return undefined
  const families = {
    calls: registry.family(metrics.ownerCalls),
    tokens: registry.family(metrics.ownerTokens),
    cost: registry.family(metrics.ownerCost),
  }
  const owners = new Map<string, OwnerSeries>()

  function seriesOf(kind: string, id: string): OwnerSeries {
    const name = `${kind}\0${id}`
    let series = owners.get(name)
    if (!series) {
      series = {
        calls: families.calls.series(kind, id),
        input: families.tokens.series(kind, id, 'input'),
        output: families.tokens.series(kind, id, 'output'),
        cost: families.cost.series(kind, id),
      }
      owners.set(name, series)
    }
    return series
  }

  function add(kind: string, id: string, { progress }: Ended): void {
    const series = seriesOf(kind, id)
    count(series.calls)
    const { former, attempt } = progress
    for (const one of attempt ? [...former, attempt] : former) {
      const { tokens, cost } = one.spend ?? {}
      count(series.input, tokens?.inputTokens ?? 0)
      count(series.output, tokens?.outputTokens ?? 0)
      if (typeof cost === 'number') count(series.cost, cost)
    }
  }

  return (exchange) => {
    const { caller, operation } = exchange
    if (!caller || operation?.capability === undefined) return
    if (by.includes('key')) add('key', caller.keyId, exchange)
    if (by.includes('team') && caller.team !== undefined) add('team', caller.team, exchange)
  }
}
