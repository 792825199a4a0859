import { expect, test } from 'vitest'

import { openPlace } from './dragoman.ts'

test('a price is tried, set for a scope, listed and removed', async () => {
  await using place = await openPlace()
  const words = 'prices set gpt-own --input 2.50 --output 10 --cache-read 0.25 --provider openai'
  const dry = await place.call(`${words} --dry-run`)
  expect(dry).toMatchObject({ code: 0, stdout: '' })
  expect(dry.stderr).toContain('Warning: input.provider: no account has the provider "openai"')
  expect(dry.stderr).toContain('Nothing was changed.')
  expect((await place.call('prices list')).stdout).not.toContain('gpt-own')
  const set = await place.call(`${words} --json --reason why`)
  expect(JSON.parse(set.stdout)).toMatchObject({ model: 'gpt-own', input: '2.50', output: '10' })
  await place.call('prices set gpt-own --input 3 --search 0.01 --account one --from 2099-01-31')
  const listed = await place.call('prices list')
  expect(listed.stdout).toMatch(/^gpt-own +2\.50 +10 +0\.25 +openai .*store/m)
  expect(listed.stdout).toMatch(/^gpt-own .* one +2099-01-31T00:00:00/m)

  await place.call('prices set gpt-free --free --account one')
  expect((await place.call('prices list')).stdout).toMatch(/^gpt-free +0 +0 +one .*store/m)

  const removed = await place.call('prices remove --model gpt-own --provider openai')
  expect(removed).toMatchObject({ code: 0, stderr: expect.stringContaining('is removed') })
  expect((await place.call('prices remove gpt-own')).code).toBe(1)
  const dated = 'prices remove gpt-own --account one --from 2099-01-31'
  expect((await place.call(dated)).code).toBe(0)
  expect((await place.call('prices list')).stdout).not.toContain('gpt-own')
})

test('a price that cannot be meant is refused', async () => {
  await using place = await openPlace()
  for (const [words, said] of [
    ['prices set --input 1', 'prices set MODEL`'],
    ['prices set gpt --model other --input 1', 'has two models: "gpt" and "other"'],
    ['prices set --id gpt --input 1', 'does not accept --id'],
    ['prices set gpt', 'needs rates'],
    ['prices set gpt --search 0.01', 'needs rates'],
    ['prices set gpt --input 1 --free', 'or --free'],
    ['prices set gpt --input much', '--input takes USD'],
    ['prices set gpt --input 1 --search free', '--search takes USD'],
    ['prices set gpt --input 1 --from soon', 'is not a time for --from'],
    ['prices remove', 'Which model?'],
  ] as const) {
    const { code, stderr } = await place.call(words)
    expect([words, code, stderr]).toEqual([words, 2, expect.stringContaining(said)])
  }
})
