import { expect, test } from 'vitest'

import { edited } from './edited.ts'
import { foreign, homecoming, others } from './tokens.ts'

const own = '{"type":"thinking", "thinking":"I see.","signature":"c2ln"}'
const use = '{"type":"tool_use","id":"toolu_1","name":"f","input":{"big":12345678901234567890}}'
const result = '{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1"}]}'
const thought = (token: string) => `{"type":"thinking","thinking":"Hm.","signature":"${token}"}`

function talk(content: string, more = ''): string {
  return (
    `"max_tokens":5${more},"messages":[{"role":"user","content":"q"},` +
    `{"role":"assistant", "content": [${content}]},${result}]`
  )
}

test.for([foreign, ...others])('thoughts of other accounts are taken out: %s', async (token) => {
  const redacted = `{"type":"redacted_thinking","data":"${token}"}`
  expect(await edited('messages', talk(`${thought(token)} , ${use}`))).toBe(talk(use))
  expect(await edited('messages', talk(`${redacted},${use}`))).toBe(talk(use))
  expect(await edited('messages', talk(`${own},${redacted},${use}`))).toBe(talk(`${own},${use}`))
})

test('a signature that comes home is the own one again', async () => {
  const away = homecoming('messages', 'c2ln/+==')
  const home = (data: string) => talk(`{"type":"redacted_thinking", "data" : "${data}"},${use}`)
  expect(await edited('messages', home(away))).toBe(home('c2ln/+=='))
})

test('an answer of nothing but such thoughts goes as a whole', async () => {
  const user = '{"role":"user","content":"q"}'
  const empty = `{"role":"assistant","content":[${thought(foreign)}]}`
  const messages = (list: string) => `"max_tokens":5,"messages": [${list}]`
  expect(await edited('messages', messages(`${user},${empty},${user}`))).toBe(
    messages(`${user},${user}`),
  )
  expect(await edited('messages', messages(empty))).toBe(
    messages('{"role":"user","content":"Continue."}'),
  )
})

test('no answer is left that ends with thoughts', async () => {
  const said = '{"type":"text","text":"So."}'
  expect(await edited('messages', talk(`${use},${said},${own},${thought(foreign)}`))).toBe(
    talk(`${use},${said}`),
  )
})

test('a budget for thoughts is taken back where the answer that goes on has none', async () => {
  const thinking = (value: string) => `,"thinking": ${value}`
  const budget = thinking('{"type":"enabled","budget_tokens":1024}')
  const off = thinking('{"type":"disabled"}')
  const adaptive = thinking('{"type":"adaptive"}')
  const content = `${thought(foreign)},${use}`
  expect(await edited('messages', talk(content, budget))).toBe(talk(use, off))
  expect(await edited('messages', talk(content, adaptive))).toBe(talk(use, adaptive))
  const mixed = `${own},${content}`
  expect(await edited('messages', talk(mixed, budget))).toBe(talk(`${own},${use}`, budget))
})

test('what only looks like a token stays', async () => {
  for (const content of [
    `{"type":"text","text":"gw1.x"},{"type":"tool_use","id":"gw1.x","name":"gw1.x","input":{}}`,
    `{"type":"other","signature":"gw1.x","data":"gw1.x"}`,
  ]) {
    expect(await edited('messages', talk(content))).toBe(talk(content))
  }
})

test('messages of a strange form are the account’s to judge', async () => {
  const strange =
    '"max_tokens":5,"messages":[null,7,{"role":"assistant"},{"content":["gw1.x",null]}]'
  expect(await edited('messages', strange)).toBe(strange)
})
