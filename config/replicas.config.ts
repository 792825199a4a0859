import type { Config } from '../src/configuration/config.ts'

/**
 * Two or more gateways on one Redis. Each of them uses this file, behind any balancer: the balancer
 * needs no sticky sessions, and chains survive the loss of a gateway.
 *
 * The environment of each contains REDIS_URL, OPENAI_API_KEY_1, OPENAI_API_KEY_2 and ANTHROPIC_API_KEY.
 * Before the first start, issue a key: `dragoman keys create --config replicas.config.ts`.
 * Two gateways on one machine need different ports: `--port 8789 --admin-port 8790`.
 */
export default {
  // The balancer's address for calls and for probes: `/readyz` answers 503 as soon as a shutdown
  // begins. With DRAGOMAN_DRAIN_DELAY_MS=10000 the gateway accepts calls for 10 s after SIGTERM, for
  // slow balancers. TLS ends at the balancer, which must not buffer.
  listen: { host: '0.0.0.0', port: 8787 },
  // Reachable only from this machine.
  admin: { host: '127.0.0.1', port: 8788 },

  // redis://, rediss://, redis+sentinel:// or redis+cluster://, with the password. The store has the
  // shared records: the accounts of responses and conversations, affinities, and API keys. Configure
  // Redis with persistence or a replica, and with `maxmemory-policy noeviction`: a chain whose record
  // is lost cannot be continued. To separate gateways on the same Redis, set different `?prefix=`.
  store: 'env:REDIS_URL',

  // No `keys` here: `dragoman keys create`, `rotate` and `revoke` change the keys in the store. The
  // changes apply to every replica within two seconds.

  // Accounts are not in the store. All replicas must have the same accounts with the same ids: a
  // replica without the account of a chain answers 503. Each replica reloads a changed file within two
  // seconds; a changed environment variable needs a restart.
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

  // How long a shutdown waits for exchanges in flight. The process manager must wait longer than this
  // and the delay above together (Kubernetes: terminationGracePeriodSeconds).
  timeouts: { drainMs: 60_000 },
} satisfies Config
