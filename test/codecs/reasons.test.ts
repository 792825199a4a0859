import { describe, expect, test } from 'vitest'

import { chatDialect } from '../../plugins/dialects/chat/index.ts'
import { generateDialect } from '../../plugins/dialects/generate/index.ts'
import { messagesDialect } from '../../plugins/dialects/messages/index.ts'
import { responsesDialect } from '../../plugins/dialects/responses/index.ts'
import { bodiesFor } from './fields/hosts/index.ts'
import { readRows } from './fields/rows.ts'
import { codecs, decode, type Name, names } from './samples/index.ts'

const dialects = {
  chat: chatDialect,
  generate: generateDialect,
  messages: messagesDialect(),
  responses: responsesDialect,
} as const satisfies Record<Name, object>

/** A clause that stands behind a field and a colon: neither a sentence's beginning nor its end. */
const clause = /^(?:[a-z`]|[A-Z]{2,4}\b).{8,90}[^.]$/s

/** The reasons of what only clients of one dialect say, wherever it may stand. */
function reasonsOf(client: Name): Set<string> {
  const fields = readRows(client).flatMap(({ fields, value }) =>
    fields.map((field) => ({
      field,
      value: value ?? { type: /\[([^\]|]*)[^\]]*\]$/.exec(field)?.[1] },
    })),
  )
  const bodies = fields.map(({ field, value }) => bodiesFor(client, field, value).with)
  const read = [...bodies, { unheard_of: 1 }].flatMap((body) => decode(client, body).extras)
  return new Set(read.map(({ reason }) => reason))
}

describe.each(names)('what %s says of losses', (name) => {
  test('is a clause for each feature that its accounts lack', () => {
    const reasons = Object.values(codecs[name].lacks ?? {}).map(({ reason }) => reason)
    expect(reasons.length).toBeGreaterThan(5)
    for (const reason of reasons) expect(reason).toMatch(clause)
  })

  test('names the API that lacks it, as its documentation does', () => {
    const { title } = dialects[name]
    for (const lack of Object.values(codecs[name].lacks ?? {})) {
      if (lack.treatment !== 'silent') expect(lack.reason).toContain(`the ${title}`)
    }
  })

  test('is a clause for each extra that its clients may send', () => {
    const reasons = [...reasonsOf(name)]
    expect(reasons.length).toBeGreaterThan(8)
    expect(reasons.filter((reason) => !clause.test(reason))).toEqual([])
  })
})
