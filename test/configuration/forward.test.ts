import { describe, expect, test } from 'vitest'

import { checkConfiguration } from '../../src/configuration/resolve.ts'

const account = { id: 'a', provider: 'openai', apiKey: 'k', models: ['m'] }

function problemsOf(forward: unknown) {
  const { problems } = checkConfiguration({ accounts: [{ ...account, forward }] }, { env: {} })
  return problems
}

describe('an account is not configured to get', () => {
  test.each([
    'authorization',
    'Authorization',
    'x-api-key',
    'api-key',
    'x-acme-token',
    'cookie',
    'x-auth',
    'x-jwt-assertion',
    'proxy-authorization',
    'x-amz-security-token',
    'host',
    'x-forwarded-host',
    'x-original-url',
    'x-rewrite-url',
    'x-http-method-override',
    'remote-user',
    'ssl-client-verify',
    'x-real-ip',
    'via',
    'connection',
    'te',
    'upgrade',
    'content-length',
    'content-type',
    'accept',
    'range',
    'if-none-match',
    'x-dragoman-explain',
    'x-goog-user-project',
    '*',
    'x*',
    'x-*',
    'x-forwarded-*',
    'x-auth-*',
    'proxy-*',
    'a b',
    'a:',
    'a*b',
    '',
    5,
  ])('the header %j', (name) => {
    const [problem, ...others] = problemsOf({ headers: ['x-acme-*', name] })
    expect(others).toEqual([])
    expect(problem?.path).toBe('accounts[0].forward.headers[1]')
    expect(problem?.message).toMatch(/^must be the name of a header, or its beginning and a star/)
    expect(problem?.fix).toContain('x-acme-*')
  })

  test.each([
    'key',
    'api_key',
    'access_token',
    'oauth_token',
    '$key',
    'alt',
    '$alt',
    'callback',
    'a&b',
    '',
  ])('the parameter %j', (name) => {
    const [problem, ...others] = problemsOf({ query: ['api-version', name] })
    expect(others).toEqual([])
    expect(problem?.path).toBe('accounts[0].forward.query[1]')
    expect(problem?.message).toMatch(/^must be the name of a query parameter/)
  })

  test('what nobody knows', () => {
    expect(problemsOf({ header: ['x'] })[0]).toMatchObject({
      path: 'accounts[0].forward.header',
      fix: 'did you mean "headers"?',
    })
    expect(problemsOf('x-acme')).toHaveLength(1)
  })
})

test('an account is configured to get headers and parameters by name', () => {
  const forward = {
    headers: ['X-Acme-*', 'x-title', 'http-referer', 'openai-project', 'accept-language'],
    query: ['api-version', 'fields', '$select'],
  }
  const { settings, problems } = checkConfiguration(
    { accounts: [{ ...account, forward }] },
    { env: {} },
  )
  expect(problems).toEqual([])
  expect(settings.accounts[0]?.forward).toEqual(forward)
})
