import { hash } from 'node:crypto'

import type { ToolCallPart } from '../generate/content.ts'
import { safeToolId } from '../generate/tool-ids.ts'

/** What makes a call this call and no other, whoever tells of it. */
export type Called = Pick<ToolCallPart, 'id' | 'name' | 'arguments'>

/**
 * A name for a call that the client who was told it gives it as well. Its id is not enough, for some
 * accounts give all of their calls the same ones.
 */
export function nameOfCall({ id, name, arguments: input }: Called): string {
  const said = hash('sha256', JSON.stringify([name, plain(input)]), 'base64url')
  return `${safeToolId(id)} ${said.slice(0, 22)}`
}

/** Clients write arguments anew, each in its own way. */
function plain(input: string): string {
  if (input.trim() === '') return '{}'
  try {
    return JSON.stringify(JSON.parse(input), inOrder)
  } catch {
    // No JSON, or nested too deep to be read.
    return input
  }
}

function inOrder(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const members = Object.entries(value)
  return Object.fromEntries(members.toSorted(([one], [other]) => (one < other ? -1 : 1)))
}
