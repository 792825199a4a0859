import { listOf, sentence } from '../format/words.ts'
import type { AccountExclusion, AccountState } from './looks.ts'

const providers: Readonly<Record<string, string>> = {
  openai: 'OpenAI',
  anthropic: 'Anthropic',
  gemini: 'Gemini',
  sandbox: 'The sandbox',
}

/** A provider as the subject of a sentence. */
export function providerName(provider: string): string {
  return providers[provider] ?? 'The provider'
}

/** Why an account does not serve all calls, in a sentence; undefined: it does. */
export function sentenceOf(account: AccountState): string | undefined {
  const [first] = account.exclusions
  if (account.state === 'DISABLED' || account.state === 'INVALID' || !first)
    return account.stateReason ? sentence(account.stateReason) : undefined
  const parts = account.exclusions.filter((one) => one.reason === first.reason)
  return exclusionSentence(account.provider, first, parts)
}

/** What an exclusion says; `same` are all that say the same of other models, dialects or keys. */
export function exclusionSentence(
  provider: string,
  one: AccountExclusion,
  same: readonly AccountExclusion[] = [one],
): string {
  return `${causeOf(provider, one)}${scopeOf(same)}.`
}

function causeOf(provider: string, { kind, reason, status, isProbing }: AccountExclusion): string {
  const name = providerName(provider)
  if (kind === 'REFUSED' && status) return `${name} answered ${status} to its credential`
  if (kind === 'COOLING' && status === 429) return `${name} answered 429, too many requests`
  const why = kind === 'CIRCUIT' ? reason.replace(/^circuit (?:half-)?open: /, '') : reason
  const words = sentence(why).replace(/\.$/, '')
  return kind === 'CIRCUIT' && isProbing ? `One call at a time tries it: ${why}` : words
}

function scopeOf(same: readonly AccountExclusion[]): string {
  const dialects = unique(same.flatMap(({ dialect }) => dialect ?? []))
  const models = unique(same.flatMap(({ models }) => models))
  const keys = unique(same.flatMap(({ keyId }) => keyId ?? []))
  return [
    dialects.length > 0 && `, in ${listOf(dialects)}`,
    models.length > 0 && `, for ${listOf(models)}`,
    keys.length > 0 && `, with key ${listOf(keys)}`,
  ]
    .filter(Boolean)
    .join('')
}

function unique(names: readonly string[]): string[] {
  return [...new Set(names)]
}
