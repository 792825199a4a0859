import { describe, expect, test } from 'vitest'

import type { Config } from '../../src/configuration/config.generated.ts'
import { ConfigurationError, type Problem } from '../../src/contract/problems.ts'
import { resolveSettings } from '../../src/configuration/resolve.ts'
import { createTranslationServices } from '../../src/translate/services.ts'

const resolve = (config: unknown) => resolveSettings(config, { env: {} })

function problemsOf(config: unknown): readonly Problem[] {
  try {
    resolve(config)
  } catch (error) {
    if (error instanceof ConfigurationError) return error.problems
    throw error
  }
  return []
}

describe('losses', () => {
  test('what an account cannot be told is dropped where nothing is said', () => {
    expect(resolve({}).losses).toBe('drop')
  })

  test('a key has a policy of its own where it says so, and none otherwise', () => {
    const keys: Config['keys'] = [
      { id: 'careful', secret: 'a', losses: 'reject' },
      { id: 'plain', secret: 'b' },
    ]
    const [careful, plain] = resolve({ keys, losses: 'native' }).keys

    expect(careful).toHaveProperty('losses', 'reject')
    expect(plain).not.toHaveProperty('losses')
  })

  test('a policy that there is not is named with its place', () => {
    const keys = [{ id: 'team', secret: 's', losses: 'refuse' }]
    const told = { fix: 'for example losses: "drop"' }

    expect(problemsOf({ losses: 'ignore', keys })).toEqual([
      {
        path: 'keys[0].losses',
        message: "must be 'drop', 'native' or 'reject', but is \"refuse\"",
        ...told,
      },
      {
        path: 'losses',
        message: "must be 'drop', 'native' or 'reject', but is \"ignore\"",
        ...told,
      },
    ])
  })
})

describe('remote', () => {
  test('by default nothing but the public internet, by https', () => {
    const MiB = 1024 * 1024
    expect(resolve({}).remote).toEqual({
      allowHttp: false,
      allow: [],
      forbid: [],
      maxBytes: 20 * MiB,
      maxFiles: 20,
      timeoutMs: 10_000,
    })
  })

  test('one setting keeps the others', () => {
    const { maxFiles, maxBytes } = resolve({ remote: { maxFiles: 2 } }).remote
    expect({ maxFiles, maxBytes }).toEqual({ maxFiles: 2, maxBytes: 20 * 1024 * 1024 })
  })

  test('whatever is accepted can be worked with', () => {
    const remote: Config['remote'] = {
      allowHttp: true,
      allow: ['media.internal:443', '10.1.0.0/16:8443', '[fd00::5]:443', '127.0.0.1:1'],
      forbid: ['5.6.0.0/16', '::/0', '1.2.3.4'],
      maxBytes: 1,
      maxFiles: 0,
      timeoutMs: 1,
    }
    const settings = resolve({ remote })

    expect(settings.remote).toEqual(remote)
    expect(() => createTranslationServices({ remote: settings.remote })).not.toThrow()
  })

  test.each([
    { remote: { allow: ['media.internal'] }, path: 'remote.allow[0]', fix: 'media.internal:443' },
    { remote: { allow: ['10.0.0.0/33:443'] }, path: 'remote.allow[0]', fix: 'media.internal:443' },
    { remote: { allow: 'a:1' }, path: 'remote.allow', fix: 'media.internal:443' },
    { remote: { forbid: ['5.6.0.0/16', 'here'] }, path: 'remote.forbid[1]', fix: '10.1.0.0/16' },
    { remote: { maxBytes: 0 }, path: 'remote.maxBytes', fix: 'maxBytes: ' },
    { remote: { maxFiles: -1 }, path: 'remote.maxFiles', fix: 'maxFiles: ' },
    { remote: { timeoutMs: 2 ** 31 }, path: 'remote.timeoutMs', fix: 'timeoutMs: ' },
    { remote: { allowHttp: 'yes' }, path: 'remote.allowHttp', fix: 'true' },
    { remote: { maxFile: 1 }, path: 'remote.maxFile', fix: 'did you mean "maxFiles"?' },
    { remote: { ca: 'pem' }, path: 'remote.ca', fix: 'use one of ' },
    { remote: [], path: 'remote', fix: 'remote: ' },
  ])('$remote is a problem of $path', ({ remote, path, fix }) => {
    const problems = problemsOf({ remote })

    expect(problems.map((problem) => problem.path)).toEqual([path])
    expect(problems[0]?.fix).toContain(fix)
  })
})
