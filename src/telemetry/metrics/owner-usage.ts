import type { Ended } from '../../contract/exchange.ts'
import type { Caller } from '../../contract/request.ts'
import type { Spend } from '../../contract/spend.ts'
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

/** Counts what keys and teams use. */
interface OwnerUsage {
  ended(exchange: Ended): void
  /** The call that has created the job is counted already. */
  jobEnded(job: Pick<Caller, 'keyId' | 'team'>, spend: Spend): void
}

/** Counts the calls of keys and teams, where the configuration asks for it; `undefined` elsewhere. */
export function createOwnerUsage(
  registry: Registry,
  by: MetricsSetting['by'],
): OwnerUsage | undefined {
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
    for (const one of attempt ? [...former, attempt] : former)
      if (one.spend) addSpend(series, one.spend)
  }

  /** Calls `listener` with the owners that are counted. */
  function forEach(
    { keyId, team }: Pick<Caller, 'keyId' | 'team'>,
    listener: (kind: string, id: string) => void,
  ): void {
    if (by.includes('key')) listener('key', keyId)
    if (by.includes('team') && team !== undefined) listener('team', team)
  }

  return {
    ended(exchange) {
      const { caller, operation } = exchange
      if (!caller || operation?.capability === undefined) return
      forEach(caller, (kind, id) => add(kind, id, exchange))
    },
    jobEnded(job, spend) {
      forEach(job, (kind, id) => addSpend(seriesOf(kind, id), spend))
    },
  }
}

function addSpend({ input, output, cost: sum }: OwnerSeries, { tokens, cost }: Spend): void {
  count(input, tokens?.inputTokens ?? 0)
  count(output, tokens?.outputTokens ?? 0)
  if (typeof cost === 'number') count(sum, cost)
}
