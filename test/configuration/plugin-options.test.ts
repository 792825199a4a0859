import { expect, test } from 'vitest'
import { z } from 'zod'

import { loadPlugins } from '../../src/configuration/plugins/load.ts'
import type { Problem } from '../../src/contract/problems.ts'

async function problemsOf(use: string, options?: unknown): Promise<readonly Problem[]> {
  const config = { plugins: [{ use, ...(options !== undefined && { options }) }] }
  const loaded = await loadPlugins(config, { file: import.meta.filename, env: {} })
  return loaded.get(0)?.problems ?? []
}

/** Each problem as one text, with its path behind `plugins[0].options`. */
async function refusals(use: string, options?: unknown): Promise<string[]> {
  const problems = await problemsOf(use, options)
  return problems.map(({ path, message, fix }) => {
    return `${path.replace(/^plugins\[0\]\.options\.?/, '')}: ${message} / ${fix}`
  })
}

test('a token issuer that is half configured is told what is missing, and of each value what is wrong', async () => {
  const options = {
    issuer: 'login.example.com',
    jwks: '/etc/jwks.json',
    clockToleranceSeconds: '30',
  }
  expect(await refusals('dragoman/plugins/jwt', options)).toEqual([
    'audience: is missing / write audience: the aud of the tokens, or a list of such values',
    'jwks: is no URL of http or https / write jwks: another value for example "https://login.example.com/.well-known/jwks.json"',
    'clockToleranceSeconds: Invalid input: expected number, received string / write clockToleranceSeconds: a value of type integer of 0 to 300 for example 30',
  ])
})

test('a value that fits one of two types is measured by that one', async () => {
  const options = { issuer: 'x', audience: [], jwks: 'https://login.example.com/jwks' }
  expect(await refusals('dragoman/plugins/jwt', options)).toEqual([
    'audience: Too small: expected array to have >=1 items / write audience: the aud of the tokens, or a list of such values',
  ])
})

test('a broken pattern says why, and a service without a URL shows one', async () => {
  const rules = [{ name: 'cards', pattern: String.raw`(\d{4}`, action: 'mask' }]
  expect(
    await refusals('dragoman/plugins/guardrail', { rules, moderation: { url: 'here' } }),
  ).toEqual([
    'rules[0].pattern: is no regular expression: Unterminated group / correct it, with a backslash before a character that stands for itself',
    'moderation.url: is no URL of http or https / write url: another value for example "https://api.openai.com/v1/moderations"',
  ])
})

test.each([
  ['guardrail', 'has neither rules nor a moderation service / write rules, moderation or both'],
  [
    'ip-lists',
    'allows and denies nothing / write allow, deny or keys, for example { allow: [203.0.113.0/24] }',
  ],
])('%s without options says what it needs', async (name, refusal) => {
  expect(await refusals(`dragoman/plugins/${name}`)).toEqual([`: ${refusal}`])
})

test('a message keeps its own example where another option has the same text', async () => {
  const allow = ['10.0.0.0/33', '10.0.0.0/8']
  expect(await refusals('dragoman/plugins/ip-lists', { allow })).toEqual([
    'allow[0]: is no address or network such as 10.0.0.0/8 / write an address (203.0.113.7) or a network (10.0.0.0/8, 2001:db8::/32)',
  ])
  const origins = ['app.example.com', 'https://app.example.com']
  expect(await refusals('dragoman/plugins/cors', { origins })).toEqual([
    expect.stringMatching(
      /^origins\[0\]: is no origin such as https:\/\/app\.example\.com \/ write https:/,
    ),
  ])
})

test('the beginning of a name means it', async () => {
  expect(await refusals('dragoman/plugins/response-cache', { ttl: 60 })).toEqual([
    'ttl: unknown option "ttl" / did you mean "ttlSeconds"?',
  ])
})

test('a missing variable or file hides no other problem', async () => {
  const options = {
    rules: [{ name: 'a', pattern: 'env:NO_SUCH_PATTERN', action: 'hide' }],
    moderation: { url: 'env:NO_SUCH_URL', apiKey: 'file:/no/such/file', timeoutMs: 0 },
  }
  const problems = await problemsOf('dragoman/plugins/guardrail', options)
  expect(problems.map(({ path }) => path.replace('plugins[0].options.', ''))).toEqual([
    'rules[0].pattern',
    'moderation.url',
    'moderation.apiKey',
    'rules[0].action',
    'moderation.timeoutMs',
  ])
})

const policy = z
  .strictObject({
    mode: z.string().optional(),
    team: z
      .string()
      .meta({ fix: 'name a team of the directory' })
      .regex(/^team-/)
      .optional(),
    limit: z.number().optional(),
  })
  .superRefine(({ mode, limit }, context) => {
    const params = { fix: 'write loud or soft' }
    if (mode === 'loud!')
      context.addIssue({ code: 'custom', path: ['mode'], message: 'shouts', params })
    if (limit === 3) context.addIssue({ code: 'custom', path: ['limit'], message: 'is taken' })
  })

test('a schema gives its own fix, for one check or for a value, and none is invented', async () => {
  const { optionProblems } = await import('../../src/kit/options/problems.ts')
  const { describedBy } = await import('../../src/kit/options/options.ts')
  const { resolveOptions } = await import('../../src/configuration/plugins/options.ts')
  const given = { mode: 'loud!', limit: 3 }
  const told = (value: unknown) => {
    const { issues = [] } = policy['~standard'].validate(value) as { issues?: never[] }
    const options = resolveOptions(value, 'options', {})
    const context = { options, schema: describedBy(policy), hidden: new Set<string>() }
    return optionProblems(issues, { ...context, path: 'options', use: './policy.ts' })
  }
  expect(told(given)).toEqual([
    { path: 'options.mode', message: 'shouts', fix: 'write loud or soft' },
    { path: 'options.limit', message: 'is taken', fix: 'see the options of ./policy.ts' },
  ])
  expect(told({ team: 'red' })).toMatchObject([{ fix: 'name a team of the directory' }])
})

test.each([
  [
    '../configuration',
    /^is a directory: \S+configuration$/,
    'name its file, for example ../configuration/index.ts',
  ],
  [
    'dragoman/plugins/guardrails',
    /^is not exported by its package$/,
    'did you mean dragoman/plugins/guardrail?',
  ],
])('a module that cannot be loaded, %s, says what to name', async (use, message, fix) => {
  const path = 'plugins[0].use'
  const problem = { path, message: expect.stringMatching(message), fix }
  expect(await problemsOf(use)).toEqual([problem])
})
