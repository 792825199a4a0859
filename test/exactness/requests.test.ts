import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { dailySteps } from '../daily-rows.ts'
import { type DialectName, dialectNames, dialects } from '../requests/dialects.ts'
import { accountsAt, type Service, startService } from '../requests/service.ts'
import { anyCuts, cutAnywhere, member, objectWith, valueText } from './json-text.ts'
import { upload } from './upload.ts'

const list = fc
  .array(valueText, { minLength: 1, maxLength: 3 })
  .map((all) => `[ ${all.join(' ,')}]`)

/** What a request of each dialect cannot do without, with anything in it. */
const required: Record<DialectName, Record<string, fc.Arbitrary<string>>> = {
  // The gateway reads the type of an input item, so that it may not occur twice in one.
  responses: { input: list.filter((text) => text.split('"type"').length < 3) },
  chat: { messages: list },
  messages: { messages: list, max_tokens: fc.constantFrom('1', '4.0e3', '100000') },
  generate: { contents: list },
}

/** Fields that the gateway reads; all others may hold anything. */
const read = ['model', 'stream', 'previous_response_id', 'n']

function requestText(dialect: DialectName, model: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const own = Object.entries(required[dialect])
  if (dialect !== 'generate') own.push(['model', model])
  const members = own.map(([name, value]) => member(fc.constant(`"${name}"`), value))
  return objectWith(members, [...read, ...own.map(([name]) => name)])
}

describe.each(dialectNames)('a %s request', (dialect) => {
  test('goes in byte for byte, however its upload was cut', async () => {
    await using service = await startService()
    const text = requestText(dialect, fc.constantFrom('"m"', '"\\u006d"'))
    const property = fc.asyncProperty(text, anyCuts, async (body, cuts) => {
      expect(await send(service, dialect, body, cuts)).toBe(200)
      expect(service.received().body.toString()).toBe(body)
    })
    await fc.assert(property, { numRuns: dailySteps(40) })
  })
})

const renamed = 'other/"name" é'

describe.each(['responses', 'chat', 'messages'] as const)('a renamed %s model', (dialect) => {
  test('changes the bytes of the model and no other', async () => {
    await using service = await startService()
    const accounts = accountsAt(service.upstream.url, { m: renamed })
    service.gateway.reload({ accounts, aliases: { quick: 'm' } })
    const marker = '"MODEL"'
    const text = requestText(dialect, fc.constant(marker))
    const spelling = fc.constantFrom('"m"', '"\\u006d"', '"quick"')
    const property = fc.asyncProperty(text, spelling, anyCuts, async (template, model, cuts) => {
      const body = template.replace(marker, () => model)
      expect(await send(service, dialect, body, cuts)).toBe(200)
      const wanted = template.replace(marker, () => JSON.stringify(renamed))
      expect(service.received().body.toString()).toBe(wanted)
    })
    await fc.assert(property, { numRuns: dailySteps(40) })
  })
})

function send(service: Service, dialect: DialectName, body: string, cuts: readonly number[]) {
  const { path, credential } = dialects[dialect]
  const { url, key } = service.gateway
  return upload(url + path, credential(key), cutAnywhere(Buffer.from(body), cuts))
}
