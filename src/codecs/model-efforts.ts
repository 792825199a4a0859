import type { Effort } from '../generate/request.ts'

/** From the least to the most. */
const order: readonly Effort[] = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max']

const lowToHigh: readonly Effort[] = ['low', 'medium', 'high']
const lowToXhigh: readonly Effort[] = [...lowToHigh, 'xhigh']
const lowToMax: readonly Effort[] = [...lowToXhigh, 'max']

/**
 * Which efforts OpenAI's models take; the first name that fits counts. The SDK's types only tell
 * that "not all reasoning models support every value" (`ReasoningEffort` of openai 7; openai 4 has
 * low to high "for o-series models", openai 5 adds `minimal`), so the rest is what OpenAI itself
 * lists where it refuses a value: "Supported values are: 'none', 'low', 'medium', and 'high'".
 * Such refusals stand in github.com/openai/codex/issues/6647 (gpt-5.1-codex),
 * anomalyco/opencode/issues/4451 (gpt-5.1) and pull/26268 (pro, chat, codex),
 * anomalyco/models.dev/pull/331 (gpt-5-pro), enricoros/big-AGI/issues/1159 (all of their time) and
 * UKGovernmentBEIS/inspect_ai/pull/5254 (gpt-6-astra).
 */
const families: readonly (readonly [name: RegExp, takes: readonly Effort[]])[] = [
  [named('o1-mini|o1-preview'), []],
  [named('o\\d+(?:-mini)?-deep-research|computer-use|gpt-5\\.\\d+-chat'), ['medium']],
  [named('o[1-4](?!\\d)|gpt-oss'), lowToHigh],
  [named('gpt-5-pro'), ['high']],
  [named('gpt-5\\.\\d+-pro'), ['medium', 'high', 'xhigh']],
  [named('gpt-5\\.1-codex-max|gpt-5\\.(?:[2-9]|\\d\\d+)-codex'), lowToXhigh],
  [named('gpt-5(?:\\.1)?-codex'), lowToHigh],
  [named('gpt-5\\.1(?!\\d)'), ['none', ...lowToHigh]],
  [named('gpt-5\\.[2-5](?!\\d)'), ['none', ...lowToXhigh]],
  [named('gpt-5\\.\\d'), ['none', ...lowToMax]],
  [named('gpt-5(?!\\d)'), ['minimal', ...lowToHigh]],
  [named('gpt-[6-9](?!\\d)'), lowToMax],
]

/** Model names, whoever serves the model: `o3`, `openai/o3`, `azure:o3`. */
export function named(names: string): RegExp {
  return new RegExp(`(?:^|[/:])(?:${names})`)
}

/**
 * The effort that a model takes instead of the one that is asked for: the next one above, else its
 * most, and never more than `most`, which is what the API knows. A model of an unknown name takes
 * what all take; whether it can do without thoughts is open, so that `none` is `undefined`, as is
 * every effort of a model that takes none.
 */
export function takenEffort(asked: Effort, model: string, most: Effort): Effort | undefined {
  const takes = families.find(([name]) => name.test(model))?.[1]
  if (!takes && asked === 'none') return undefined
  const open = (takes ?? lowToHigh).filter((effort) => rank(effort) <= rank(most))
  return open.find((effort) => rank(effort) >= rank(asked)) ?? open.at(-1)
}

function rank(effort: Effort): number {
  return order.indexOf(effort)
}
