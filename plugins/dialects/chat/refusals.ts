import type { Refusal } from '../../../src/contract/refusal.ts'
import { objectAt, objectsIn, stringAt } from '../../../src/lib/json/read.ts'

/** The message of an error of MiniMax, and of servers that name the members which they refuse in a list. */
export function messageOfServers({ error }: Refusal): string | undefined {
  const state = stringAt(objectAt(error, 'base_resp'), 'status_msg')
  if (state) return state
  const [first] = objectsIn(error.detail ?? objectAt(error, 'message')?.detail)
  const message = stringAt(first, 'msg')
  if (!first || !message) return undefined
  const place = Array.isArray(first.loc) ? first.loc.filter(isStep).join('.') : ''
  return place === '' ? message : `${place}: ${message}`
}

function isStep(step: unknown): boolean {
  return typeof step === 'string' || typeof step === 'number'
}
