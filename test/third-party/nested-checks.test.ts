import { expect, test } from 'vitest'

import {
  checkChoice,
  checkInteger,
  checkStop,
  checkStrings,
  requireString,
} from '../../src/dialect-kit/index.ts'

const path = 'inferenceConfig'

test.each([
  ['maxTokens', () => checkInteger({ maxTokens: 'x' }, 'maxTokens', 1, Infinity, path)],
  ['stops', () => checkStrings({ stops: [1] }, 'stops', 4, path)],
  ['stops', () => checkStrings({ stops: ['a', 'b'] }, 'stops', 1, path)],
  ['stop', () => checkStop({ stop: 3 }, 'stop', 4, path)],
  ['mode', () => checkChoice({ mode: 3 }, 'mode', ['auto'], 'name', path)],
  ['id', () => void requireString({}, 'id', path)],
])('a check names the whole path of `%s`', (name, check) => {
  expect(check).toThrow(
    expect.objectContaining({
      param: `inferenceConfig.${name}`,
      message: expect.stringContaining(`\`inferenceConfig.${name}\``),
    }),
  )
})
