import { expect, test } from 'vitest'

import { edited } from './edited.ts'
import { foreign, homecoming, others } from './tokens.ts'

function talk(...extras: string[]): string {
  const calls = extras.map(
    (extra, index) =>
      `{"id":"c${index}", "type":"function","function":{"name":"f","arguments":"{}"}${extra}}`,
  )
  return `"messages":[{"role":"assistant","content":null, "tool_calls": [${calls.join(' , ')}]}]`
}

const google = (members: string) => `,"extra_content":{"google":{${members}}}`
const signature = (token: string) => `"thought_signature":"${token}"`

test.for([foreign, ...others])('signatures of other accounts are taken out: %s', async (token) => {
  const calls = talk(google(signature(token)), google(signature(token)))
  expect(await edited('chat', calls)).toBe(talk('', ''))
})

test('what stands beside a signature stays', async () => {
  const calls = talk(
    google(`"thought":true,${signature(foreign)}`),
    `,"extra_content":{"google":{${signature(foreign)}},"mine":12345678901234567890}`,
  )
  const left = talk(google('"thought":true'), ',"extra_content":{"mine":12345678901234567890}')
  expect(await edited('chat', calls)).toBe(left)
})

test('a signature that comes home is the own one again', async () => {
  const calls = talk(google(signature(homecoming('chat', 'c2ln'))))
  expect(await edited('chat', calls)).toBe(talk(google(signature('c2ln'))))
})

test('signatures of its own accounts, and what only looks like a token, stay', async () => {
  for (const calls of [
    talk(google(signature('c2ln')), ',"extra_content":"gw1.x"', ',"extra_content":{"google":7}'),
    talk(google('"thought_signature":7,"other":"gw1.x"')),
  ]) {
    expect(await edited('chat', calls)).toBe(calls)
  }
})

test('what helpers of the SDK left goes along', async () => {
  const calls = talk(google(signature(foreign))).replace('"{}"', '"{}","parsed_arguments":{}')
  expect(await edited('chat', calls)).toBe(talk(''))
})
