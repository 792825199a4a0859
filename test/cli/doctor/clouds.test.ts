import { join } from 'node:path'
import { expect, test } from 'vitest'

import { startSandbox } from '../../../src/sandbox/index.ts'
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
  expect(found.get('account signed')).toMatchObject({ status: 'OK' })
  expect(cloud.requests.map(({ url }) => url)).toContain('/foundation-models')
})

test('AWS tells a wrong key from one that may not list models, and the list of Vertex AI is there', async () => {
  await using sandbox = await startSandbox()
  await using denying = await startFakeAccount(
    answerJson(
      { message: 'User: hush is not authorized to perform: bedrock:ListFoundationModels' },
      { status: 403, headers: { 'x-amzn-errortype': 'AccessDeniedException' } },
    ),
  )
  const bedrock = {
    provider: 'bedrock',
    region: 'eu-central-1',
    baseUrl: sandbox.url,
    models: ['m'],
  }
  const aws = { accessKeyId: 'AKIASANDBOXA', secretAccessKey: 'sandbox-key-a' }
  await using place = await openPlace()
  const file = await fetch(`${sandbox.url}/google/service-account/a.json`)
  await place.write('service-account.json', await file.text())
  const accounts = [
    { ...bedrock, id: 'right', aws },
    { ...bedrock, id: 'bearer', apiKey: 'sandbox-key-a' },
    { ...bedrock, id: 'claude', aws, speaks: ['messages'] },
    { ...bedrock, id: 'wrong', aws: { ...aws, secretAccessKey: 'hush-secret' } },
    { ...bedrock, id: 'wrong-bearer', apiKey: 'hush-key' },
    { ...bedrock, id: 'denied', aws, baseUrl: denying.url },
    {
      id: 'vertex',
      provider: 'vertex',
      project: 'p',
      baseUrl: sandbox.url,
      googleAuth: { file: join(place.path, 'service-account.json') },
      models: ['gemini-x'],
    },
  ]
  const ports = { listen: { port: 0 }, admin: { port: 0 } }
  await place.write('dragoman.config.json', JSON.stringify({ ...ports, accounts }))
  const found = await diagnose(place, '', {})
  for (const id of ['right', 'bearer', 'claude', 'vertex'])
    expect(found.get(`account ${id}`), id).toMatchObject({ status: 'OK' })
  for (const id of ['wrong', 'wrong-bearer'])
    expect(found.get(`account ${id}`), id).toMatchObject({
      status: 'FAIL',
      message: expect.stringContaining('refuses its credential') as unknown,
    })
  expect(found.get('account denied')).toMatchObject({
    status: 'WARN',
    fix: expect.stringContaining('call one of its models') as unknown,
  })
})
