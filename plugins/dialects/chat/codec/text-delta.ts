import type { TextDelta } from '../../../../src/contract/codec.ts'
import type { JsonObject } from '../../../../src/lib/json/object.ts'
import { objectAt } from '../../../../src/lib/json/read.ts'

/** Returns the content of a chunk that has one choice and carries nothing but that content. */
export function chatTextDelta({ choices, usage, error }: JsonObject): TextDelta | undefined {
  if (!Array.isArray(choices) || choices.length !== 1 || usage || error) return undefined
  const choice = choices[0] as JsonObject | null
  const delta = objectAt(choice, 'delta')
  if (choice?.finish_reason || choice?.logprobs || choice?.message || !delta) return undefined
  const { role: _role, content, ...others } = delta
  const isAlone = !Object.values(others).some(Boolean)
  return isAlone && typeof content === 'string' && content !== ''
    ? { key: 'content', text: content }
    : undefined
}
