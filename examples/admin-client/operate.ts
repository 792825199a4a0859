import { createAdminClient, nodesOf } from './admin-client.ts'
import {
  AccountsDocument,
  BindingsDocument,
  DisableAccountDocument,
  EnableAccountDocument,
  JobsDocument,
  LiveDocument,
  LookUpBindingDocument,
} from './operations.generated.ts'

const client = createAdminClient({
  url: process.env['ADMIN_URL'] ?? 'http://127.0.0.1:8788',
  token: process.env['OPS_TOKEN'] ?? '',
})

/** The commands, by their names. */
const commands: Readonly<Record<string, (...words: string[]) => Promise<void>>> = {
  async accounts(provider) {
    const load = async (after: string | null) =>
      (await client.query(AccountsDocument, { after, filter: { provider } })).accounts
    for await (const { id, state, serves, stateReason } of nodesOf(load)) {
      print(id, state, serves, stateReason)
    }
  },

  async bindings(keyId) {
    const load = async (after: string | null) =>
      (await client.query(BindingsDocument, { after, filter: { keyId } })).bindings
    for await (const { id, kind, accountId, chainUntil } of nodesOf(load)) {
      print(kind, id, accountId, chainUntil)
    }
  },

  async jobs() {
    const load = async (after: string | null) => (await client.query(JobsDocument, { after })).jobs
    for await (const { id, keyId, accountId, state } of nodesOf(load)) {
      print(id, keyId, accountId, state)
    }
  },

  async 'look-up'(keyId = '', id = '') {
    const { binding: found } = await client.query(LookUpBindingDocument, { keyId, id })
    print(found.state, found.reason, found.binding?.accountId)
    for (const { use, status, code, message } of found.answers) print(use, status, code, message)
  },

  async disable(id = '', ...reason) {
    const input = { id, reason: reason.join(' ') }
    const { disableAccount } = await client.mutate(DisableAccountDocument, { input })
    // The compiler knows all outcomes, and the fields of each.
    if (disableAccount?.__typename === 'DisableAccountSuccess') {
      return print(id, disableAccount.account?.state, `${disableAccount.running} calls under way`)
    }
    fail(disableAccount?.__typename, disableAccount?.message)
  },

  async enable(id = '') {
    const { enableAccount } = await client.mutate(EnableAccountDocument, { input: { id } })
    if (enableAccount?.__typename === 'EnableAccountSuccess') {
      return print(id, enableAccount.account?.state)
    }
    fail(enableAccount?.__typename, enableAccount?.message)
  },

  follow: () =>
    new Promise((resolve, reject) => {
      const topics = ['PULSE', 'EXCHANGES', 'ACCOUNTS', 'JOBS', 'AUDIT'] as const
      client.follow(
        LiveDocument,
        { topics: [...topics] },
        {
          onData: ({ live }) => console.log(JSON.stringify(live)),
          onEnd: (error) => (error ? reject(error) : resolve()),
        },
      )
    }),
}

function print(...words: readonly (string | number | null | undefined)[]): void {
  console.log(words.filter((word) => word !== null && word !== undefined).join('  '))
}

function fail(...words: readonly (string | undefined)[]): void {
  console.error(words.join(': '))
  process.exitCode = 1
}

const [name = '', ...words] = process.argv.slice(2)
const command = commands[name]
if (command) await command(...words)
else fail('commands', Object.keys(commands).join(', '))
