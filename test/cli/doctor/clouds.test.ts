import { expect, test } from 'vitest'

import { answerJson, startFakeAccount } from '../../../src/testing/index.ts'
import { openPlace } from '../dragoman.ts'
import { diagnose } from './findings.ts'

const models = answerJson({ object: 'list', data: [] })

test('each account at a cloud says which step of its credential fails, and how to mend it', async () => {
  await using cloud = await startFakeAccount(models)
  await using granting = await startFakeAccount(
    answerJson({ access_token: 'hush-token', expires_in: 3_600 }),
  )
  await using refusing = await startFakeAccount(
    answerJson(
      { error: 'invalid_client', error_description: 'AADSTS7000215: hush' },
      { status: 401 },
    ),
  )
  await using away = await startFakeAccount(answerJson({}, { status: 503 }))
  const entra = { tenantId: 't', clientId: 'c', clientSecret: 'hush-1' }
  const azure = { provider: 'azure', baseUrl: cloud.url, models: ['m'] }
  const vertex = { provider: 'vertex', project: 'p', baseUrl: cloud.url, models: ['gemini-x'] }
  const bedrock = {
    provider: 'bedrock',
    region: 'eu-central-1',
    baseUrl: cloud.url,
    models: ['amazon.nova-pro-v1:0'],
  }
  const accounts = [
    { ...azure, id: 'granted', entra: { ...entra, authority: granting.url } },
    { ...azure, id: 'refused', entra: { ...entra, authority: refusing.url } },
    { ...azure, id: 'away', entra: { ...entra, authority: away.url } },
    { ...azure, id: 'closed', entra: { ...entra, authority: 'http://127.0.0.1:1' } },
    { ...vertex, id: 'no-file', googleAuth: { file: '/nonexistent/service-account.json' } },
    { ...bedrock, id: 'no-profile', aws: { profile: 'hush-profile' } },
    { ...bedrock, id: 'signed', aws: { accessKeyId: 'AKIA1', secretAccessKey: 'hush-2' } },
  ]
  await using place = await openPlace()
  const ports = { listen: { port: 0 }, admin: { port: 0 } }
  await place.write('dragoman.config.json', JSON.stringify({ ...ports, accounts }))
  const found = await diagnose(place, '', {
    AWS_CONFIG_FILE: '/nonexistent',
    AWS_SHARED_CREDENTIALS_FILE: '/nonexistent',
    AWS_EC2_METADATA_DISABLED: 'true',
  })
  expect(found.get('account granted')).toMatchObject({ status: 'OK' })
  expect(found.get('account refused')).toMatchObject({
    status: 'FAIL',
    message: expect.stringMatching(
      /Microsoft Entra .* refuses a token with the status 401 \(AADSTS7000215\)/,
    ) as unknown,
    fix: 'check tenantId and clientId of entra, and whether the client secret has ended',
  })
  expect(found.get('account away')).toMatchObject({
    status: 'FAIL',
    message: expect.stringContaining('It answers with the status 503') as unknown,
    fix: 'wait: the gateway tries it again by itself',
  })
  expect(found.get('account closed')).toMatchObject({
    status: 'FAIL',
    message: expect.stringContaining('127.0.0.1:1 gives no token') as unknown,
    fix: expect.stringContaining('firewall') as unknown,
  })
  expect(found.get('account no-file')).toMatchObject({
    status: 'FAIL',
    message: expect.stringContaining('The file of googleAuth cannot be read') as unknown,
    fix: 'check the file of googleAuth, and whether this user can read it',
  })
  expect(found.get('account no-profile')).toMatchObject({
    status: 'FAIL',
    message: expect.stringContaining('No credentials of AWS are found') as unknown,
    fix: expect.stringContaining('set aws or apiKey') as unknown,
  })
  // Converse has no call that costs nothing.
  expect(found.get('account signed')).toMatchObject({ status: 'WARN' })
})
