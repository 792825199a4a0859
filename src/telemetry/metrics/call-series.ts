import type { DialectInfo, OperationInfo } from '../../contract/dialect-info.ts'
import type { Usage } from '../../contract/outcome.ts'
import { isAmount } from '../../kit/usage.ts'
import type { StreamEnd } from '../error-types.ts'
import { operationNameOf } from '../genai.ts'
import { requestMetrics as metrics } from './catalog.ts'
import { type Family, type Registry, count, lazy, observe } from './registry.ts'

/** The facts of a call that its labels consist of. */
interface CallLabels {
  readonly operation: OperationInfo
  readonly dialect: DialectInfo
  /** The value of `gen_ai.provider.name`. */
  readonly provider: string
  /** The labels of the models. */
  readonly requested: string
  readonly reported: string
}

/** The series of calls with the same labels: looked up once, and kept. All times are in seconds. */
export interface CallSeries {
  /** The work of the accounts. `error`: why the call failed. */
  worked(seconds: number, error: string | undefined): void
  /** The whole call. */
  served(seconds: number, error: string | undefined): void
  firstToken(seconds: number): void
  perToken(seconds: number): void
  /** The time in which no account worked. */
  idle(seconds: number, isStream: boolean): void
  streamEnded(reason: StreamEnd): void
  used(usage: Usage): void
}

/** Creates the series of calls. `undefined` for an operation that asks no model. */
type CallSeriesFactory = (labels: CallLabels) => CallSeries | undefined

/** Creates the factory. */
export function createCallSeries(registry: Registry): CallSeriesFactory {
  const served = registry.family(metrics.serverDuration)
  const firstToken = registry.family(metrics.firstToken)
  const perToken = registry.family(metrics.perToken)
  const overhead = registry.family(metrics.overhead)
  const streamsEnded = registry.family(metrics.streamsEnded)
  const worked = registry.family(metrics.clientDuration)
  const tokens = registry.family(metrics.tokens)

  return ({ operation, dialect, provider, requested, reported }) => {
    const name = operationNameOf(operation, dialect)
    if (!name) return undefined
    const isText = name === 'chat' || name === 'generate_content'
    const client = [name, provider, requested, reported]
    const server = [name, provider, requested, dialect.id]
    const first = lazy(() => firstToken.series(...server))
    const each = lazy(() => perToken.series(...server))
    const streamed = lazy(() => overhead.series(dialect.id, 'true'))
    const whole = lazy(() => overhead.series(dialect.id, 'false'))
    const completed = lazy(() => streamsEnded.series(dialect.id, 'completed'))
    return {
      worked: timer(worked, client),
      served: timer(served, server),
      firstToken: isText ? (seconds) => observe(first(), seconds) : ignore,
      perToken: isText ? (seconds) => observe(each(), seconds) : ignore,
      idle: (seconds, isStream) => observe(isStream ? streamed() : whole(), seconds),
      streamEnded: (reason) =>
        count(reason === 'completed' ? completed() : streamsEnded.series(dialect.id, reason)),
      // A fetched response spent its tokens in an earlier call.
      used: name === 'fetch_response' ? ignore : usageCounter(tokens, client),
    }
  }
}

const ignore = () => {}

function timer(
  family: Family,
  labels: readonly string[],
): (seconds: number, error: string | undefined) => void {
  const succeeded = lazy(() => family.series(...labels, ''))
  return (seconds, error) =>
    observe(error === undefined ? succeeded() : family.series(...labels, error), seconds)
}

/** Observes the tokens of calls by their kind. `labels`: the labels of the family, without the kind. */
export function usageCounter(family: Family, labels: readonly string[]): CallSeries['used'] {
  const input = lazy(() => family.series(...labels, 'input'))
  const output = lazy(() => family.series(...labels, 'output'))
  return ({ inputTokens, outputTokens }) => {
    if (isAmount(inputTokens)) observe(input(), inputTokens)
    if (isAmount(outputTokens)) observe(output(), outputTokens)
  }
}
