import type { Usage } from '../../contract/outcome.ts'
import { isAmount } from '../../kit/usage.ts'
import type { OperationName } from '../genai.ts'
import { requestMetrics as metrics } from './catalog.ts'
import { type Family, type Registry, count, lazy, observe } from './registry.ts'

/** A member of usages that is a number of tokens. */
type Counted = Exclude<keyof Usage, 'tier' | 'isPartial'>

/** The usage of calls with these labels. */
type UsageSeries = (client: readonly string[], name: OperationName) => (usage: Usage) => void

const ignore = () => {}

/** Observes the tokens of calls by their kind. */
export function usageHistogram(registry: Registry): UsageSeries {
  const family = registry.family(metrics.tokens)
  const { buckets } = metrics.tokens
  return (client, name) => {
    if (name === 'fetch_response') return ignore
    const input = lazy(() => family.series(...client, 'input'))
    const output = lazy(() => family.series(...client, 'output'))
    return ({ inputTokens, outputTokens }) => {
      if (isAmount(inputTokens)) observe(input(), buckets, inputTokens)
      if (isAmount(outputTokens)) observe(output(), buckets, outputTokens)
    }
  }
}

/** Of the tokens of a counter those of audio and of images. Accounts do not say of the rest what it is. */
const modalParts: { readonly [Member in Counted]?: readonly (readonly [string, Counted])[] } = {
  inputTokens: [
    ['audio', 'audioInputTokens'],
    ['image', 'imageInputTokens'],
  ],
  outputTokens: [
    ['audio', 'audioOutputTokens'],
    ['image', 'imageOutputTokens'],
  ],
}

/** Counts the tokens of calls by their kind and modality. */
export function usageCounters(registry: Registry): UsageSeries {
  const { inputTokens, outputTokens, cachedTokens, cacheWriteTokens, reasoningTokens } = metrics
  const families = [
    ['inputTokens', registry.family(inputTokens)],
    ['outputTokens', registry.family(outputTokens)],
    ['cachedTokens', registry.family(cachedTokens)],
    ['cacheWriteTokens', registry.family(cacheWriteTokens)],
    ['reasoningTokens', registry.family(reasoningTokens)],
  ] as const
  return (client, name) => {
    if (name === 'fetch_response') return ignore
    const all = families.map(([member, family]) => modalCounter(member, family, client))
    return (usage) => {
      for (const counter of all) counter(usage)
    }
  }
}

/** Counts a member of usages by modality: `unknown` is what remains. */
function modalCounter(
  member: Counted,
  family: Family,
  client: readonly string[],
): (usage: Usage) => void {
  const parts = (modalParts[member] ?? []).map(
    ([modality, part]) => [part, lazy(() => family.series(...client, modality))] as const,
  )
  const unknown = lazy(() => family.series(...client, 'unknown'))
  return (usage) => {
    const whole = usage[member]
    if (!isAmount(whole)) return
    let rest = whole
    for (const [part, series] of parts) {
      const amount = usage[part]
      // More than the whole is no part of it.
      if (!isAmount(amount) || amount === 0 || amount > rest) continue
      count(series(), amount)
      rest -= amount
    }
    if (rest > 0 || whole === 0) count(unknown(), rest)
  }
}
