import { GatewayError } from '../../../../../src/contract/errors.ts'
import type { Citation } from '../../../../../src/generate/content.ts'
import { objectAt, stringAt } from '../../../../../src/lib/json/read.ts'

/** Reads a citation of a web page; `undefined` for one of a document, which has no URL. */
export function readCitation(citation: unknown): Citation | undefined {
  const url = stringAt(objectAt(objectAt(citation, 'location'), 'web'), 'url')
  if (!url) return undefined
  const title = stringAt(citation, 'title')
  return { url, ...(title !== undefined && { title }) }
}

/** Reads the name of a tool; throws `upstream_invalid_reply` where it is absent. */
export function readToolName(toolUse: unknown): string {
  const name = stringAt(toolUse, 'name')
  if (name) return name
  throw new GatewayError('upstream_invalid_reply', 'The upstream sent a tool use without a name.')
}

/** Whether a tool use is one of the account's own tools, which clients of other dialects cannot read. */
export function isServerTool(toolUse: unknown): boolean {
  return stringAt(toolUse, 'type') === 'server_tool_use'
}
