import { expect, test } from 'vitest'

import { edited } from './edited.ts'
import { foreign, homecoming, others } from './tokens.ts'

const call =
  '{"type":"function_call","call_id":"c","name":"f","arguments":"{\\"n\\":12345678901234567890}"}'
const reasoning = (token: string, id = 'rs_1') =>
  `{"id":"${id}", "type":"reasoning","summary":[],"encrypted_content":"${token}"}`
const input = (items: string) => `"input":[{"role":"user","content":"q"},${items}]`

test.for([foreign, ...others])('reasoning of other accounts is taken out: %s', async (token) => {
  expect(await edited('responses', input(`${reasoning(token)},${call}`))).toBe(input(call))
  const own = reasoning('c2ln')
  expect(await edited('responses', input(`${own},${reasoning(token)},${call}`))).toBe(
    input(`${own},${call}`),
  )
})

test('reasoning that comes home has its own id and content again', async () => {
  const away = homecoming('responses', 'c2ln', 'rs_home')
  expect(await edited('responses', input(`${reasoning(away)},${call}`))).toBe(
    input(`${reasoning('c2ln', 'rs_home')},${call}`),
  )
})

test('an input of nothing else is an empty one', async () => {
  expect(await edited('responses', `"input": [ ${reasoning(foreign)} ]`)).toBe('"input": []')
})

test('whatever else would be changed inside goes with the item', async () => {
  const parts = '"content":[{"type":"text","text":"x","parsed":{}}],"parsed_arguments":{}'
  const odd = `{"type":"reasoning",${parts},"encrypted_content":"${foreign}"}`
  expect(await edited('responses', input(`${odd},${call}`))).toBe(input(call))
  expect(await edited('responses', input(`${call},${odd}`))).toBe(input(call))
})

test('what only looks like a token stays', async () => {
  const odd = input(`{"type":"function_call_output","call_id":"gw1.x","output":"gw1.x"}`)
  expect(await edited('responses', odd)).toBe(odd)
})
