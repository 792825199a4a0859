import { expect, test } from 'vitest'

import { edited } from './edited.ts'
import { foreign, homecoming, others } from './tokens.ts'

const base64 = (text: string) => Buffer.from(text).toString('base64')
const escape = '"thoughtSignature":"skip_thought_signature_validator"'
const signed = (token: string) => `"thoughtSignature":"${token}"`
const call = (more = '') => `{"functionCall":{"name":"f","args":{"n":12345678901234567890}}${more}}`
const user = '{"role":"user","parts":[{"text":"q"}]}'
const contents = (...models: string[]) =>
  `"contents":[${user},${models.map((parts) => `{"parts" : [${parts}],"role":"model"}`).join(',')}]`

const tokens = [foreign, ...others].flatMap((token) => [token, base64(token)])

test.for(tokens)('the first call of an answer is let pass, others are plain: %s', async (token) => {
  const calls = [call(`,${signed(token)}`), call(`,${signed(token)}`)]
  expect(await edited('generate', contents(calls.join(',')))).toBe(
    contents(`${call(`,${escape}`)},${call()}`),
  )
})

test('a call is let pass whose signature stood on a thought', async () => {
  const thought = `{"text":"Hm.","thought":true,${signed(base64(`${foreign}.summary`))}}`
  expect(await edited('generate', contents(`${thought},${call()}`))).toBe(
    contents(call().replace('{', `{${escape},`)),
  )
  expect(await edited('generate', contents(thought, call(), call()))).toBe(
    contents(call().replace('{', `{${escape},`), call()),
  )
})

test('a call that its own account signed stays signed', async () => {
  const thought = `{"text":"","thought":true,${signed(base64(foreign))}}`
  const own = call(`, ${signed('c2ln')}`)
  expect(await edited('generate', contents(`${thought},${own}`))).toBe(contents(own))
})

test('texts lose the signature, and those that are empty go', async () => {
  const text = `{"text":"So.",${signed(base64(foreign))}}`
  const empty = `{"text":"",${signed(base64(foreign))}}`
  expect(await edited('generate', contents(`${text},${empty}`))).toBe(contents('{"text":"So."}'))
})

test('an answer of nothing else goes as a whole', async () => {
  const thought = `{"text":"Hm.","thought":true,${signed(base64(foreign))}}`
  expect(await edited('generate', contents(thought, '{"text":"So."}'))).toBe(
    contents('{"text":"So."}'),
  )
  const only = (list: string) => `"contents":[${list}]`
  expect(await edited('generate', only(`{"role":"model","parts":[${thought}]}`))).toBe(
    only('{"role":"user","parts":[{"text":" "}]}'),
  )
})

test('snake_case is understood and kept', async () => {
  const parts = (more: string) => `{"function_call":{"name":"f"},"thought_signature":"${more}"}`
  expect(await edited('generate', contents(parts(base64(foreign))))).toBe(
    contents(parts('skip_thought_signature_validator')),
  )
})

test('a signature that comes home is the own one again', async () => {
  const away = base64(homecoming('generate', 'c2ln'))
  expect(await edited('generate', contents(call(`,${signed(away)}`)))).toBe(
    contents(call(`,${signed('c2ln')}`)),
  )
})

test('answers without tokens stay as they are, signed or not', async () => {
  const text = `{"text":"gw1.x"},{"text":"Z3cxLg=="},${call()},{"text":"x",${signed('c2ln')}}`
  expect(await edited('generate', contents(text, call()))).toBe(contents(text, call()))
  const strange = '"contents":[null,{"role":"model"},{"role":"model","parts":["gw1.x",null]}]'
  expect(await edited('generate', strange)).toBe(strange)
})
