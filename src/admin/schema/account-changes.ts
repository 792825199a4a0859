import { addAct } from '../act.ts'
import { createAccount, deleteAccount, updateAccount } from '../accounts/change.ts'
import type { AdminBuilder, InputFields } from '../builder.ts'
import { forRecord, targetOf } from './account-acts.ts'
import type { AccountType } from './accounts.ts'
import { enumsOf } from './enums.ts'
import { addIdPayload, addRecordPayload } from './payloads.ts'

const role = 'admin'

/** Adds the acts that create, change and delete accounts of the store. */
export function addAccountChanges(builder: AdminBuilder, account: AccountType): void {
  addAct(builder, {
    name: 'createAccount',
    description: 'Adds an account to the store. All processes have it within two seconds.',
    role,
    action: 'account.create',
    input: addCreateInput(builder),
    success: addRecordPayload(builder, 'CreateAccountSuccess', 'account', account),
    target: targetOf,
    run: (input, { services }) => createAccount(services, input),
  })
  addAct(builder, {
    name: 'updateAccount',
    description:
      'Changes an account of the store. An absent field stays, null clears it. Another provider or address needs the credential again.',
    role,
    action: 'account.update',
    input: addUpdateInput(builder),
    success: addRecordPayload(builder, 'UpdateAccountSuccess', 'account', account),
    target: targetOf,
    run: (input, { services }) => updateAccount(services, input),
  })
  addAct(builder, {
    name: 'deleteAccount',
    description:
      'Deletes an account of the store, also one whose id the file has. Calls under way go on. What the account owns stays bound to its id: its chains get 503 until an account of this id exists again, or their bindings expire.',
    role,
    action: 'account.delete',
    input: builder.inputType('DeleteAccountInput', {
      fields: (t) => ({
        id: t.id({ required: true }),
        reason: t.string({ required: true, ...forRecord }),
        expectedVersion: t.int(),
      }),
    }),
    success: addIdPayload(builder, 'DeleteAccountSuccess'),
    target: targetOf,
    run: (input, { services }) => deleteAccount(services, input),
  })
}

const credential =
  'The provider’s API key, which is sealed, or its place: `env:NAME` or `file:/path` of each process.'
const baseUrls =
  'Base URLs of single dialects, by dialect, as in the configuration. Null clears them.'
const entra =
  '`{tenantId, clientId, authority}`: the credential is a secret of this application of Microsoft Entra.'
const googleAuth =
  '`{}`: the credential is the JSON of a service account of Google Cloud. Null: it is a key.'
const aws = '`{accessKeyId}`: the credential is the secret access key of AWS. Null: it is a key.'
const modelMap = "A map from the names of models to the account's own, instead of `models`."
const forward = '`{headers: [...], query: [...]}`, as in the configuration.'

function addCreateInput(builder: AdminBuilder) {
  return builder.inputType('CreateAccountInput', {
    description: 'The fields of an account, as in the configuration.',
    fields: (t) => ({
      id: t.id({ required: true }),
      provider: t.string({ required: true }),
      ...settingsFields(builder, t),
    }),
  })
}

function addUpdateInput(builder: AdminBuilder) {
  return builder.inputType('UpdateAccountInput', {
    description: 'An absent field stays, null clears it.',
    fields: (t) => ({
      id: t.id({ required: true }),
      expectedVersion: t.int({
        description: 'The change happens only if the account has this version.',
      }),
      provider: t.string(),
      ...settingsFields(builder, t),
    }),
  })
}

function settingsFields(builder: AdminBuilder, t: InputFields) {
  const { outputLimitField, accountLack, replyModel } = enumsOf(builder)
  return {
    baseUrl: t.string(),
    baseUrls: t.field({ type: 'JSON', description: baseUrls }),
    credential: t.string({ description: credential }),
    entra: t.field({ type: 'JSON', description: entra }),
    googleAuth: t.field({ type: 'JSON', description: googleAuth }),
    aws: t.field({ type: 'JSON', description: aws }),
    apiVersion: t.string({ description: 'The dated API of `azure`.' }),
    project: t.string({ description: 'The project of a `vertex` account.' }),
    location: t.string({ description: 'Its location: a region, `global`, `us` or `eu`.' }),
    region: t.string({ description: 'The region of an account at AWS.' }),
    anthropicVersion: t.string({ description: '`anthropic_version` of Claude at a cloud.' }),
    guardrail: t.field({ type: 'JSON', description: 'A guardrail of AWS: `{id, version}`.' }),
    speaks: t.stringList(),
    models: t.stringList({
      description:
        'Names and patterns, such as `gpt-*`. A list in a variable has at most 1,000 items: a pattern or `modelMap` stands for more.',
    }),
    modelMap: t.field({ type: 'JSON', description: modelMap }),
    outputLimitField: t.field({ type: outputLimitField }),
    asksForUsage: t.boolean(),
    lacks: t.field({
      type: [accountLack],
      description: 'What its server lacks, as in the configuration.',
    }),
    replyModel: t.field({ type: replyModel }),
    options: t.field({
      type: 'JSON',
      description:
        'Options of the provider, as in the configuration. They are no place for secrets.',
    }),
    forward: t.field({ type: 'JSON', description: forward }),
    timeouts: t.field({ type: 'JSON', description: 'Deadlines, as in the configuration.' }),
    maxConcurrent: t.int({ description: 'The most calls at once in each process.' }),
    weight: t.float({ description: 'From 0.000001 to 1000000, as in the configuration.' }),
    priority: t.int(),
    enabled: t.boolean(),
    reason: t.string(forRecord),
  }
}
