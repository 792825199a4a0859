import { expect, test } from 'vitest'

import { edited } from './edited.ts'

test('C4: a string prompt becomes the instructions', async () => {
  expect(await edited('responses', '"input":"hi","prompt" : "be br\\u0069ef"')).toBe(
    '"input":"hi","instructions" : "be br\\u0069ef"',
  )
})

test('C4: where there are instructions it is added to them', async () => {
  for (const members of [
    '"input":"hi","instructions":"Answer.","prompt":"Be brief."',
    '"prompt":"Be brief.","instructions":"Answer.","input":"hi"',
    '"instructions":"Answer.", "prompt" : "Be brief." ,"input":"hi"',
  ]) {
    const received = JSON.parse(`{${await edited('responses', members)}}`) as object
    expect(received).toEqual({ input: 'hi', instructions: 'Answer.\n\nBe brief.' })
  }
})

test('C4: instructions that are null are none', async () => {
  const received = await edited(
    'responses',
    '"prompt":"Be brief.","input":"hi","instructions":null',
  )
  expect(JSON.parse(`{${received}}`)).toEqual({ input: 'hi', instructions: 'Be brief.' })
})

test('C4: an object prompt is the provider’s own', async () => {
  const members = '"input":"hi","instructions":"a","prompt":{"id":"pmpt_1","version":"2"}'
  expect(await edited('responses', members)).toBe(members)
})

test('C4: a null prompt is passed on', async () => {
  const members = '"input":"hi","prompt":null'
  expect(await edited('responses', members)).toBe(members)
})

test('C4: other dialects have no such field', async () => {
  const members = '"messages":[{"role":"user","content":"hi"}],"prompt":"Be brief."'
  expect(await edited('chat', members)).toBe(members)
})
