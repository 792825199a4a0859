import { hash } from 'node:crypto'

/** A call that may have an affinity, as far as its name needs it. */
export interface AffinityCall {
  readonly caller: { readonly keyId: string }
  readonly model: { readonly name: string }
}

/** Longer names would only fill the store. Characters. */
const longest = 160

/**
 * What an affinity is called in the store. Nobody shares one with another key. Sessions and cached
 * prompts are told apart by model as well: each model has a cache of its own, and two models of one
 * session may live on different accounts. An item belongs to an account, whichever model reads it.
 */
export function affinityNameOf({ caller, model }: AffinityCall, affinity: string): string {
  const text = affinity.startsWith('item:') ? affinity : `${affinity} ${model.name}`
  return `${caller.keyId} ${isPlain(text) ? text : hash('sha256', text, 'base64url')}`
}

/** Half of a surrogate pair is no text that a store can keep. */
function isPlain(text: string): boolean {
  return text.length <= longest && text.isWellFormed()
}

/** The rule that an affinity decides by, as explanations and logs have it. */
export function ruleOf(affinity: string): string {
  const kind = affinity.slice(0, affinity.indexOf(':'))
  return `affinity: ${rules[kind] ?? kind}`
}

const rules: Readonly<Record<string, string>> = {
  item: 'item id',
  cache: 'prompt_cache_key',
}
