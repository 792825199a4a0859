import { expect, test } from 'vitest'

import { responsesCodec } from '../../../plugins/dialects/responses/codec/index.ts'
import type { Signature } from '../../../src/generate/content.ts'
import type { GenerateEvent } from '../../../src/generate/events.ts'
import type { GenerateRequest } from '../../../src/generate/request.ts'
import { readSignature, wrapSignature } from '../../../src/generate/signatures.ts'
import { dropForeignSignatures, markSignatures } from '../../../src/translate/signers.ts'

const sealed = { dialect: 'responses', value: 'sealed', id: 'rs_1' }

/** An account by its id: all are of one server. */
const account = (id: string) => ({
  account: { id, origin: 'https://llm.example.com', basePath: '', base: 'bare' } as const,
  dialect: { id: 'responses' },
})

function asking(signature: Signature): GenerateRequest {
  const thought = { type: 'reasoning', form: 'summary', text: 'Hm.', signature } as const
  const turns = [{ role: 'assistant', content: [thought] } as const]
  return { stream: false, turns, tools: [], sampling: {}, fields: {}, extras: [] }
}

/** What an account seals, as it is read of its answer. */
function sealedBy(accountId: string, value = 'sealed'): Signature {
  const item = { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: value }
  const reply = { status: 'completed', output: [item] }
  const told = markSignatures(account(accountId), responsesCodec).decodeResult(
    reply,
    asking(sealed),
  )
  const part = 'type' in told ? undefined : told.choices[0]?.content[0]
  if (part?.type !== 'reasoning' || !part.signature) throw new Error('Nothing is signed.')
  return part.signature
}

/** What of a signature an account is told. */
function toldTo(accountId: string, signature: Signature): Signature | undefined {
  const [turn] = dropForeignSignatures(account(accountId), responsesCodec, asking(signature)).turns
  const part = turn?.role === 'assistant' ? turn.content[0] : undefined
  return part?.type === 'reasoning' ? part.signature : undefined
}

function throughClient(signature: Signature): Signature {
  const read = readSignature(wrapSignature(signature), 'messages')
  if (!read) throw new Error('The token cannot be read.')
  return read
}

test('what an account sealed goes back to it through a client, and to no other', () => {
  const token = throughClient(sealedBy('a'))
  expect(toldTo('a', token)).toMatchObject(sealed)
  expect(toldTo('b', token)).toBeUndefined()
})

test('it is told whose it is in a stream as in a whole reply', () => {
  const signatures: Signature[] = []
  const note = (event: GenerateEvent) => {
    if (event.type === 'signature') signatures.push(event.signature)
  }
  const decoder = markSignatures(account('a'), responsesCodec).decodeEvents(asking(sealed), note)
  const item = { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'sealed' }
  const response = { status: 'completed', output: [item] }
  decoder.decode({ type: 'response.completed', response }, 'response.completed')
  expect(signatures).toEqual([sealedBy('a')])
})

test('what nobody knows the maker of goes to nobody', () => {
  for (const account of [undefined, '', 'a', sealedBy('a', 'another').account]) {
    const token = throughClient({ ...sealed, ...(account !== undefined && { account }) })
    expect(toldTo('a', token)).toBeUndefined()
  }
})

test('a client reads neither the name of an account nor how many there are', () => {
  const [one, other] = [sealedBy('the-account'), sealedBy('the-account', 'more')]
  const token = Buffer.from(wrapSignature(one).slice('gw1.'.length), 'base64url').toString()
  expect(token).toContain('sealed')
  expect(token).not.toContain('the-account')
  expect(one.account).not.toBe(other.account)
})

test('the account is asked for the same without the signature', () => {
  const { turns, ...rest } = asking(sealedBy('a'))
  expect(dropForeignSignatures(account('b'), responsesCodec, { turns, ...rest })).toEqual({
    ...rest,
    turns: [{ role: 'assistant', content: [{ type: 'reasoning', form: 'summary', text: 'Hm.' }] }],
  })
})
