import type { Config } from '../src/configuration/config.ts'

/**
 * Two or more gateways on one Redis. Each of them runs with this same file, behind any balancer: no
 * session has to stay with one of them, and one that is lost takes no chain with it.
 *
 * The environment of each has REDIS_URL, OPENAI_API_KEY_1, OPENAI_API_KEY_2 and ANTHROPIC_API_KEY.
 * Before the first start, issue a key: `dragoman keys create --config replicas.config.ts`.
 * Two on one machine need ports of their own: `--port 8789 --admin-port 8790`.
 */
export default {
  // Where the balancer comes in, and where it probes: `/readyz` answers 503 as soon as the process
  // has been asked to end. With DRAGOMAN_DRAIN_DELAY_MS=10000 it goes on taking calls for 10 s after
  // SIGTERM, for balancers that are slow to notice. TLS ends at the balancer, which must not buffer.
  listen: { host: '0.0.0.0', port: 8787 },
  // Only from the machine itself.
  admin: { host: '127.0.0.1', port: 8788 },

  // redis://, rediss://, redis+sentinel:// or redis+cluster://, with the password in it. What all of
  // them know is here: which account a response or a conversation belongs to, affinities, and keys.
  // Give Redis persistence or a replica, and `maxmemory-policy noeviction`: what it forgets cannot be
  // continued. Gateways that share a Redis but not their records differ in `?prefix=`.
  store: 'env:REDIS_URL',

  // No `keys` here: `dragoman keys create`, `rotate` and `revoke` change those in the store, on every
  // replica within two seconds.

  // Accounts are not in the store. All replicas must have the same, by the same ids: a chain whose
  // account is missing on one of them is answered 503 there. A changed file is taken over by each
  // replica within two seconds; a changed secret of the environment wants another start.
  accounts: [
    {
      id: 'openai-1',
      provider: 'openai',
      apiKey: 'env:OPENAI_API_KEY_1',
      models: ['gpt-*', 'o*'],
    },
    {
      id: 'openai-2',
      provider: 'openai',
      apiKey: 'env:OPENAI_API_KEY_2',
      models: ['gpt-*', 'o*'],
    },
    {
      id: 'claude',
      provider: 'anthropic',
      apiKey: 'env:ANTHROPIC_API_KEY',
      models: ['claude-*'],
    },
  ],

  // How long exchanges under way may take at the end of a process. Let what ends it wait for longer
  // than this and the delay above together (Kubernetes: terminationGracePeriodSeconds).
  timeouts: { drainMs: 60_000 },
} satisfies Config
