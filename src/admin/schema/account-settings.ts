import type { AdminBuilder } from '../builder.ts'
import type { AccountType } from './accounts.ts'
import { enumsOf } from './enums.ts'

const unread = 'Null if its record cannot be read.'

/** Adds the settings of an account as `createAccount` takes them, with the defaults that apply. */
export function addAccountSettings(builder: AdminBuilder, account: AccountType): void {
  const { outputLimitField, accountLack, replyModel } = enumsOf(builder)
  const shared = { authScopes: { viewer: true }, nullable: true } as const
  builder.objectFields(account, (t) => ({
    weight: t.float({
      ...shared,
      description: `Its share of the calls among accounts of its priority. ${unread}`,
      resolve: ({ settings }) => settings.weight,
    }),
    priority: t.int({
      ...shared,
      description: `Accounts with a lower one come first. ${unread}`,
      resolve: ({ settings }) => settings.priority,
    }),
    entra: t.field({
      ...shared,
      type: 'JSON',
      description: 'Its application of Microsoft Entra, without the secret.',
      resolve: ({ settings }) => settings.entra,
    }),
    googleAuth: t.field({
      ...shared,
      type: 'JSON',
      description: 'Its identity of Google Cloud, without the content of credentials.',
      resolve: ({ settings }) => settings.googleAuth,
    }),
    aws: t.field({
      ...shared,
      type: 'JSON',
      description: 'Its keys of AWS, without the secrets: `{accessKeyId}` or `{profile}`.',
      resolve: ({ settings }) => settings.aws,
    }),
    apiVersion: t.string({
      ...shared,
      description: 'The dated API of `azure`. Null: the `v1` API.',
      resolve: ({ settings }) => settings.apiVersion,
    }),
    project: t.string({
      ...shared,
      description: 'The project of a `vertex` account.',
      resolve: ({ settings }) => settings.project,
    }),
    location: t.string({
      ...shared,
      description: 'The location of a `vertex` account.',
      resolve: ({ settings }) => settings.location,
    }),
    region: t.string({
      ...shared,
      description: 'The region of an account at AWS.',
      resolve: ({ settings }) => settings.region,
    }),
    anthropicVersion: t.string({
      ...shared,
      description: '`anthropic_version` of requests for Claude at a cloud.',
      resolve: ({ settings }) => settings.anthropicVersion,
    }),
    guardrail: t.field({
      ...shared,
      type: 'JSON',
      description: 'A guardrail of AWS: `{id, version}`.',
      resolve: ({ settings }) => settings.guardrail,
    }),
    outputLimitField: t.field({
      ...shared,
      type: outputLimitField,
      description:
        'The field of a chat request with the limit of output tokens. Null: the field of the provider.',
      resolve: ({ settings }) => settings.outputLimitField,
    }),
    asksForUsage: t.boolean({
      ...shared,
      description: `Whether it is asked for the usage of each stream of chats and completions. ${unread}`,
      resolve: ({ settings }) => settings.asksForUsage,
    }),
    lacks: t.field({
      ...shared,
      type: [accountLack],
      description: 'What its server lacks. Null: what the servers of its provider lack.',
      resolve: ({ settings: { lacks } }) => lacks && [...lacks],
    }),
    replyModel: t.field({
      ...shared,
      type: replyModel,
      description: unread,
      resolve: ({ settings }) => settings.replyModel,
    }),
    options: t.field({
      ...shared,
      type: 'JSON',
      description: 'Options of its provider, which hold no secret. Null: the provider has none.',
      resolve: ({ settings }) => settings.options,
    }),
    forward: t.field({
      ...shared,
      type: 'JSON',
      description:
        'What of a request it gets besides the names of its dialects: `{headers: [...], query: [...]}`. Null: nothing.',
      resolve: ({ settings }) => settings.forward,
    }),
  }))
}
