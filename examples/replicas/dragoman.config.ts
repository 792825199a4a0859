import { defineConfig } from 'dragoman'

/** Every replica runs with this file. The command line gives each its ports. */
export default defineConfig({
  // `redis://`, `rediss://`, `redis+sentinel://` or `redis+cluster://`, with the password in it. All
  // replicas share the records in it: keys, disabled accounts, affinities, video jobs, and the account
  // of each response. Gateways that share a Redis and no records differ in `?prefix=`.
  store: 'env:REDIS_URL',

  // Where clients find the replicas: the address of the balancer, for URLs that the gateway hands out.
  publicUrl: 'http://127.0.0.1:8080',

  // A replica on another machine than the balancer needs `listen: { host: '0.0.0.0' }`. TLS ends at
  // the balancer.

  // No `keys`: `dragoman keys create`, `rotate` and `revoke` change those of the store, and every
  // replica follows within two seconds.

  // Accounts are not in the store. All replicas need the same ones, with the same ids: a replica
  // without the account of a response answers 503 to the call that continues it. Each replica follows
  // a change of this file within two seconds; a changed environment variable needs a restart.
  // These are accounts of the offline sandbox. Replace them with yours:
  // { id: 'openai-1', provider: 'openai', apiKey: 'env:OPENAI_API_KEY_1', models: ['gpt-*'] }
  accounts: [
    {
      id: 'sandbox-a',
      provider: 'sandbox',
      baseUrl: 'http://127.0.0.1:8790',
      apiKey: 'sandbox-key-a',
      models: ['sandbox/*'],
    },
    {
      id: 'sandbox-b',
      provider: 'sandbox',
      baseUrl: 'http://127.0.0.1:8790',
      apiKey: 'sandbox-key-b',
      models: ['sandbox/*'],
    },
  ],

  // A directory for uploads works only if all replicas share it. A bucket (`storages`) needs none.
  uploads: { directory: false },

  // How long requests under way may take at the end of a process. Whatever ends the process must wait longer than
  // the delay for balancers (5 s), this, and 5 s to close (Kubernetes: terminationGracePeriodSeconds).
  timeouts: { drainMs: 60_000 },
})
