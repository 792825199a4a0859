import { isUtf8 } from 'node:buffer'

import type { FormPart, RequestBody } from '../../src/contract/body.ts'
import { GatewayError } from '../../src/contract/errors.ts'
import type { Understood } from '../../src/contract/exchange.ts'
import type { JsonObject } from '../../src/lib/json/object.ts'
import { parseOrUndefined } from '../../src/lib/json/read.ts'
import { type Work, runInTurns } from '../../src/lib/turns.ts'
import { visitTexts } from './body-texts.ts'
import { assertSameBody } from './same-body.ts'
import type { Rules } from './rules.ts'

/** The inspected length of a form field, in bytes. Rules do not see the rest of a longer field. */
const longestField = 1024 * 1024

/**
 * Looks at a body as accounts get it. Texts that have no neutral form are changed by no rule, so a match refuses the
 * call. Rejects with `GatewayError` 422.
 */
export async function guardBody(
  { body, caller }: Pick<Understood, 'body' | 'caller'>,
  rules: Rules,
): Promise<void> {
  const owner = caller.keyId
  await runInTurns(assertSameBody(body), { owner })
  const texts = await formTexts(body)
  visitTexts(await jsonOf(body), (text) => texts.push(text))
  await runInTurns(assertAllowed(texts, rules), { owner })
}

function* assertAllowed(texts: readonly string[], rules: Rules): Work<void> {
  for (const text of texts) yield* rules.assertAllowed(text)
}

/** The texts of a request without a neutral form, for a moderation service. */
export async function textsIn({ body }: Pick<Understood, 'body'>): Promise<string> {
  return [...(await formTexts(body)), textsOf(await jsonOf(body))].join('\n')
}

/** In bytes. Bodies that the gateway does not know are looked at in memory. */
const longestOpaque = 1024 * 1024

/** The value of a body, also of one that the gateway does not know. Throws `GatewayError` 422 if it is too large or no text. */
async function jsonOf({ json, opaque }: RequestBody): Promise<JsonObject> {
  if (!opaque) return json
  const bytes = opaque.length > longestOpaque ? undefined : await opaque.read(longestOpaque)
  if (!bytes || !isUtf8(bytes)) {
    throw new GatewayError('plugin_rejected', 'This body cannot be looked at.', { retry: false })
  }
  const text = bytes.toString()
  return { content: parseOrUndefined(text) ?? text }
}

/** The texts of an object of JSON. Names, ids and enumerations are single words. */
export function textsOf(json: JsonObject): string {
  const texts: string[] = []
  visitTexts(json, (text) => texts.push(text))
  return texts.filter((text) => /\S\s+\S/.test(text)).join('\n')
}

async function formTexts({ form }: RequestBody): Promise<string[]> {
  if (!form) return []
  const isText = ({ filename, name }: FormPart) => filename === undefined && name !== 'model'
  const parts = form.parts.filter(isText).map((part) => form.read(part, longestField))
  return (await Promise.all(parts)).map(String)
}
