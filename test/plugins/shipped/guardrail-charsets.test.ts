import { expect, test } from 'vitest'

import guardrail from '../../../plugins/guardrail/index.ts'
import { type Scene, askChat, stage } from '../../third-party/chat.ts'

const names = { name: 'names', pattern: 'nightfall|ночь', action: 'refuse' } as const
const card = { name: 'cards', pattern: '\\d{4}( \\d{4}){3}', action: 'mask' } as const

/** Sends a document to an account of the client's dialect, which gets its bytes and its type. */
function send({ gateway }: Scene, type: string, bytes: Buffer): Promise<Response> {
  const file_data = `data:${type};base64,${bytes.toString('base64')}`
  const messages = [{ role: 'user', content: [{ type: 'file', file: { file_data } }] }]
  return askChat(gateway, { fields: { messages } })
}

const word = Buffer.from('the word is nightfall.')
const quoted = 'text/plain;name=";charset=utf-16le";charset=utf-8'

test.each([
  ['text/plain', word],
  ['text/plain;charset=utf-8', word],
  ['text/plain;charset=utf-16le', word],
  ['text/plain;charset="utf-16be"', word],
  ['text/plain;charset=utf-16le;charset=utf-8', word],
  ['text/plain;charset=utf-8;charset=utf-16le', word],
  ['text/plain;charset=utf-8;charset=utf-16le', Buffer.from('ночь', 'utf16le')],
  [quoted, word],
  [quoted, Buffer.from('ночь', 'utf16le')],
  ['text/plain;charset = utf-16le', Buffer.from('ночь', 'utf16le')],
  ['text/plain;charset=utf-16le', Buffer.from('ночь', 'utf16le')],
  ['text/plain;charset=iso-2022-jp', word],
  ['text/plain;charset=shift_jis', Buffer.concat([Buffer.from([0x81]), word.subarray(12)])],
  ['text/plain;charset=windows-1252', Buffer.from('ночь')],
])('whichever charset of %s an account reads, a word in it is found', async (type, bytes) => {
  await using scene = await stage({ plugins: [guardrail({ rules: [names] })] })
  const refused = await send(scene, type, bytes)
  expect([refused.status, scene.account.requests.length]).toEqual([422, 0])
})

test.each([
  ['text/plain;charset=utf-16le', Buffer.from('día', 'utf16le')],
  ['text/plain;charset=windows-1252', Buffer.from('día', 'latin1')],
  ['text/plain;charset=euc-jp', Buffer.from([0xc6, 0xfc, 0xcb, 0xdc])],
  [quoted, Buffer.from('by day')],
])('a document of %s without the word reaches the account as it is', async (type, bytes) => {
  await using scene = await stage({ plugins: [guardrail({ rules: [names, card] })] })
  expect((await send(scene, type, bytes)).status).toBe(200)
  expect(scene.account.requests[0]?.body.toString()).toContain(bytes.toString('base64'))
})

test.each([
  ['text/plain;charset=utf-16le;charset=koi8-r;charset=euc-jp', word],
  [`text/plain;charset=utf-8;${'x=y;'.repeat(1000)}`, word],
])('a type of too many words is a 400 (%#)', async (type, bytes) => {
  await using scene = await stage({ plugins: [guardrail({ rules: [names] })] })
  const refused = await send(scene, type, bytes)
  expect([refused.status, scene.account.requests.length]).toEqual([400, 0])
  expect(await refused.text()).toContain('The media type of the file')
})

test('what only some readers find in a document cannot be masked, so that no account gets it', async () => {
  await using scene = await stage({ plugins: [guardrail({ rules: [card] })] })
  const refused = await send(
    scene,
    'text/plain;charset=utf-16le',
    Buffer.from('4111 1111 1111 1111.'),
  )
  expect([refused.status, scene.account.requests.length]).toEqual([400, 0])
  expect(await refused.text()).toContain('depends on its reader')
})
