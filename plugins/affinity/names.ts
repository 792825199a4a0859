import { hash } from 'node:crypto'

import { recordIdOf } from '../../src/stores/record-id.ts'

/** The parts of an exchange that the names of its affinities contain. */
interface AffinityCall {
  readonly caller: { readonly keyId: string }
  readonly model: { readonly name: string }
}

/** Longer names are hashed to save space in the store. Characters. */
const maxLength = 160

/**
 * The name of an affinity in the store. It contains the id of the API key, so keys share no affinities.
 * The names of sessions and cached prompts also contain the model: each model has its own cache, and
 * the models of a session may be on different accounts. An item's account does not depend on the model.
 */
export function affinityNameOf({ caller, model }: AffinityCall, affinity: string): string {
  const text = affinity.startsWith('item:') ? affinity : `${affinity} ${model.name}`
  return recordIdOf([caller.keyId], isPlain(text) ? text : hash('sha256', text, 'base64url'))
}

/** Whether a store can save the text as a name; a lone surrogate is not valid text. */
function isPlain(text: string): boolean {
  return text.length <= maxLength && text.isWellFormed()
}

/** The name of an affinity's rule in `x-dragoman-route` and the access log. */
export function ruleOf(affinity: string): string {
  const kind = affinity.slice(0, affinity.indexOf(':'))
  return `affinity: ${rules[kind] ?? kind}`
}

const rules: Readonly<Record<string, string>> = {
  item: 'item id',
  cache: 'prompt_cache_key',
}
