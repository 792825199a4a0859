import { expect, test } from 'vitest'

import { edited } from './edited.ts'
import { foreign } from './tokens.ts'

/** Bodies above 1 KiB and above 64 KiB are known by their strings, those between are searched. */
const sizes = { small: 1_500, held: 20_000, large: 600 * 1024 }
const large = 'x'.repeat(sizes.large)
const text = (content: string) => `{"role":"user","content":"${content}"}`
const call = (extra: string) =>
  `{"role":"assistant","tool_calls":[{"id":"c","type":"function","function":{"name":"f","arguments":"{}"}${extra}}]}`
const token = `,"extra_content":{"google":{"thought_signature":"${foreign}"}}`

test.for(['before', 'between', 'behind'])('a token %s large texts is taken out', async (place) => {
  const talk = (extra: string) => {
    const at = (one: string) => call(place === one ? extra : '')
    return `"messages":[${[at('before'), text(large), at('between'), text(large), at('behind')].join()}]`
  }
  expect(await edited('chat', talk(token))).toBe(talk(''))
})

test.for(Object.entries(sizes))(
  'parts beside %s texts get the spelling of the provider',
  async ([, size]) => {
    const parts = (type: string) =>
      `{"type":"input_text","text":"${'x'.repeat(size)}"},{"type":"${type}","text":"t"}`
    const input = (type: string) => `"input":[{"role":"user","content":[${parts(type)}]}]`
    expect(await edited('responses', input('text'))).toBe(input('input_text'))
  },
)

test.for(Object.entries(sizes))(
  'a member of the SDK beside %s texts is taken out',
  async ([, size]) => {
    const message = (extra: string) => `{"role":"assistant","content":"a"${extra}}`
    const talk = (extra: string) => `"messages":[${text('x'.repeat(size))},${message(extra)}]`
    expect(await edited('chat', talk(',"parsed":{"a":1}'))).toBe(talk(''))
  },
)

test('a large token is taken out', async () => {
  const long = token.replace('"}}', `${large}"}}`)
  expect(await edited('chat', `"messages":[${call(long)}]`)).toBe(`"messages":[${call('')}]`)
})
