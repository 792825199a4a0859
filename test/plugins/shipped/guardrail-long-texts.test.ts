import { expect, test } from 'vitest'

import guardrail from '../../../plugins/guardrail/index.ts'
import { assertSameBody } from '../../../plugins/guardrail/same-body.ts'
import { Rules } from '../../../plugins/guardrail/rules.ts'
import { answerJson } from '../../../src/testing/index.ts'
import { type Scene, askChat, reply, stage } from '../../third-party/chat.ts'

const number = '4111 1111 1111 1111'
const wide = '４１１１ １１１１ １１１１ １１１１'
const tagged = number.replaceAll(/[^]/g, (sign) =>
  String.fromCodePoint(0xe0000 + sign.charCodeAt(0)),
)
const card = { name: 'cards', pattern: '\\d{4}( \\d{4}){3}', action: 'mask' } as const
const secret = { name: 'names', pattern: 'nightfall', action: 'refuse' } as const

/** In characters: that of a window. */
const window = 64 * 1024

function ask({ gateway }: Scene, content: string): Promise<Response> {
  return askChat(gateway, { fields: { messages: [{ role: 'user', content }] } })
}

/** The text that the account gets. */
async function sent(scene: Scene, content: string): Promise<string> {
  const response = await ask(scene, content)
  expect([response.status, response.status === 200 || (await response.text())]).toEqual([200, true])
  const body = JSON.parse(scene.account.requests.at(-1)!.body.toString()) as {
    messages: { content: string }[]
  }
  return body.messages[0]!.content
}

test('a text of letters of tags alone hides nothing, also at the border of a window', async () => {
  const tag = (text: string) =>
    text.replaceAll(/\w/g, (sign) => String.fromCodePoint(0xe0000 + sign.charCodeAt(0)))
  await using scene = await stage({ plugins: [guardrail({ rules: [secret] })] }, answerJson(reply))
  for (const before of [
    '',
    'a',
    tag('x'.repeat(window / 2 - 4)),
    `a${tag('x'.repeat(window / 2 - 4))}`,
  ]) {
    expect((await ask(scene, `${before}${tag('Nightfall')}${tag('y'.repeat(200))}`)).status).toBe(
      422,
    )
  }
})

test.each([
  ['plain', number],
  ['wide', wide],
  ['of letters of tags', tagged],
  ['divided by invisible characters', number.replaceAll('1', '\u200b1')],
  ['divided by thousands of invisible ones', number.replace(' ', ` ${'\u200d'.repeat(9_000)}`)],
])('a match that is %s is masked wherever it stands in a long text', async (_, spelling) => {
  await using scene = await stage({ plugins: [guardrail({ rules: [card] })] }, answerJson(reply))
  for (const before of [window, window - 1, window - 10, window - 19, window - 40, 5]) {
    const [start, end] = ['a'.repeat(before - 1), ' b'.repeat(window)]
    expect(await sent(scene, `${start} ${spelling}${end}`)).toBe(`${start} [removed]${end}`)
  }
})

test.each([
  ['plain', number],
  ['wide', wide],
])('each of many matches that are %s is masked', async (_, spelling) => {
  await using scene = await stage({ plugins: [guardrail({ rules: [card] })] }, answerJson(reply))
  const text = `${spelling}, `.repeat(20_000)
  expect(await sent(scene, text)).toBe('[removed], '.repeat(20_000))
})

test('a pattern sees the text before a window, and the masks of the rules before it', async () => {
  const rules = [
    { ...secret, name: 'beginnings', pattern: '^a|\\ba' },
    { ...card, name: 'letters', pattern: 'q', replacement: '' },
    { ...secret, pattern: 'aq' },
  ]
  await using scene = await stage({ plugins: [guardrail({ rules })] }, answerJson(reply))
  const text = `x${'a'.repeat(2.5 * window)}`
  expect(await sent(scene, `${text}q`)).toBe(text)
})

test('masks that their own pattern matches are no break of the rule in a long text', async () => {
  const rule = { ...card, pattern: 'nightfall', replacement: '[nightfall]' }
  await using scene = await stage({ plugins: [guardrail({ rules: [rule] })] }, answerJson(reply))
  expect(await sent(scene, 'é nightfall '.repeat(30_000))).toBe('é [nightfall] '.repeat(30_000))
})

test.each([
  ['at its end', `${'a '.repeat(window)}nightfall`],
  ['across two windows', `${'é'.repeat(window - 5)}nightfall${'é'.repeat(window)}`],
  ['behind more invisible characters than a window has', `night${'\u200b'.repeat(200_000)}fall`],
])('a word %s refuses the call', async (_, text) => {
  await using scene = await stage({ plugins: [guardrail({ rules: [secret] })] }, answerJson(reply))
  expect((await ask(scene, text)).status).toBe(422)
  expect((await ask(scene, text.replace('night', 'day'))).status).toBe(
    text.includes('\u200b') ? 422 : 200,
  )
  expect(scene.account.requests).toHaveLength(text.includes('\u200b') ? 0 : 1)
})

test('a match in a text that grows eighteenfold when it is spelled out refuses the call', async () => {
  await using scene = await stage({ plugins: [guardrail({ rules: [card] })] }, answerJson(reply))
  const text = '\ufdfa'.repeat(100_000)
  expect(await sent(scene, text)).toBe(text)
  expect((await ask(scene, text + wide)).status).toBe(422)
})

test('the text of a member that cannot be masked is looked at to its end', async () => {
  await using scene = await stage({ plugins: [guardrail({ rules: [card] })] }, answerJson(reply))
  for (const before of [window, window - 10, 3 * window]) {
    const odd = `${'é'.repeat(before)}${number}${'é'.repeat(window)}`
    expect((await askChat(scene.gateway, { fields: { odd } })).status).toBe(422)
    expect(
      (await askChat(scene.gateway, { fields: { odd: odd.slice(10) + odd.slice(0, 9) } })).status,
    ).toBe(422)
  }
  expect((await askChat(scene.gateway, { fields: { odd: 'é'.repeat(window * 2) } })).status).toBe(
    200,
  )
})

test('others are served while the bytes of a body are compared with its value', () => {
  const json = { model: 'm', odd: ['a'] }
  const body = { bytes: Buffer.from(JSON.stringify(json)), json, members: new Map() }
  expect([...assertSameBody(body)]).toHaveLength(4)
})

test('others are served between two windows of a long text', () => {
  const setting = { ...secret, ignoreCase: true, replacement: '', in: ['request' as const] }
  const looking = new Rules([setting], 'request')
  expect([...looking.apply('é'.repeat(10 * window))]).toHaveLength(10)
  expect([...looking.assertAllowed('é'.repeat(10 * window))]).toHaveLength(10)
})
