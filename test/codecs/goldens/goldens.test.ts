import { basename } from 'node:path'

import { describe, expect, test } from 'vitest'

import { readGoldens } from './golden.ts'

describe.each(readGoldens().map((golden) => ({ ...golden, name: basename(golden.path) })))(
  '$name, as `node test/codecs/goldens/write.ts` writes it',
  ({ cases }) => {
    test.each(cases)('$title', ({ text, render }) => {
      expect(render()).toBe(text)
    })
  },
)
