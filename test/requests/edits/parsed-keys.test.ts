import { expect, test } from 'vitest'

import { edited } from './edited.ts'

/** What the SDK's helpers leave in replies, and users put back into their history. */
const parsed = '"parsed":{"deep":["parsed",{"parsed":1}]}'
const parsedArguments = '"parsed_arguments" : {"city":"Bern"}'

test('responses: parsed is taken out of replayed text', async () => {
  const input = (more: string) =>
    `"input":[{"role":"assistant","content":[{"type":"output_text"${more},"text":"{}"}]}]`
  expect(await edited('responses', input(`,${parsed}`))).toBe(input(''))
})

test('responses: parsed_arguments is taken out of replayed calls', async () => {
  const input = (more: string) =>
    `"input":["x",{${more}"type":"function_call","call_id":"c","arguments":"{}"}]`
  expect(await edited('responses', input(`${parsedArguments},`))).toBe(input(''))
})

test('chat: parsed is taken out of replayed messages', async () => {
  const messages = (more: string) =>
    `"messages":[{"role":"user","content":"q"},{"role":"assistant","content":"{}"${more}}]`
  expect(await edited('chat', messages(` , ${parsed}`))).toBe(messages(''))
  expect(await edited('chat', messages(',"parsed":null'))).toBe(messages(''))
})

test('chat: parsed_arguments is taken out of replayed calls', async () => {
  const messages = (more: string) =>
    '"messages":[{"role":"assistant","content":null,"tool_calls":[' +
    `{"id":"a","type":"function","function":{"name":"f","arguments":"{}"${more}}},` +
    `{"id":"b","type":"function","function":{"name":"g","arguments":"{}"${more}}}]}]`
  expect(await edited('chat', messages(`,${parsedArguments}`))).toBe(messages(''))
})

test('what users themselves call parsed stays', async () => {
  const data = '{"parsed":1,"parsed_arguments":2}'
  const members =
    '"messages":[{"role":"user","content":"\\"parsed\\": 1"}],' +
    `"metadata":${data},"tools":[{"type":"function","function":{"parameters":${data}}}]`
  expect(await edited('chat', members)).toBe(members)
  const output = `"input":[{"type":"function_call_output","output":"x"}],"metadata":${data}`
  expect(await edited('responses', output)).toBe(output)
})

test('messages and Gemini have no such keys', async () => {
  const messages = '"messages":[{"role":"user","content":"x","parsed":1}],"max_tokens":5'
  expect(await edited('messages', messages)).toBe(messages)
  const contents = '"contents":[{"parts":[{"text":"x","parsed":1}]}]'
  expect(await edited('generate', contents)).toBe(contents)
})
