import type { SetName, Values } from './helm.ts'

/** Values that the chart refuses, and what it says. */
interface Refusal {
  readonly name: string
  readonly set: SetName
  readonly values: Values
  readonly message: RegExp
}

const account = { id: 'a', provider: 'openai', models: ['*'] }
const reference = { secretName: '', key: 'token' }

/** Secrets in the values, misspelt names, and values that do not go together. */
export const refusals: readonly Refusal[] = [
  {
    name: 'an ingress without a name',
    set: 'minimal',
    values: { ingress: { enabled: true } },
    message: /ingress\.hosts/,
  },
  {
    name: 'a volume with the name of one of the chart',
    set: 'minimal',
    values: { extraVolumes: [{ name: 'data', emptyDir: {} }] },
    message: /extraVolumes/,
  },
  {
    name: 'a credential of an account in the configuration',
    set: 'minimal',
    values: { config: { accounts: [{ ...account, apiKey: 'sk-live-1' }] } },
    message: /apiKey/,
  },
  {
    name: 'a password in the address of an account',
    set: 'minimal',
    values: { config: { accounts: [{ ...account, baseUrl: 'https://u:p@llm.example.com' }] } },
    message: /baseUrl/,
  },
  ...[
    { headers: { 'X-Api-Key': 'literal' } },
    { headers: { authorization: 'Bearer literal' } },
    { proxy: 'http://user:literal@proxy.example.com:3128' },
    { clientCertificate: { cert: 'file:/run/tls/c.pem', key: 'literal' } },
    {
      clientCertificate: {
        cert: 'file:/run/tls/c.pem',
        key: 'file:/run/tls/c.key',
        passphrase: 'literal',
      },
    },
  ].map((setting) => ({
    name: `a secret of the way to an account in the configuration: ${JSON.stringify(setting)}`,
    set: 'minimal' as const,
    values: { config: { accounts: [{ ...account, apiKey: 'env:KEY', ...setting }] } },
    message: /headers|proxy|clientCertificate/,
  })),
  {
    name: 'the secret of an API key in the configuration',
    set: 'minimal',
    values: { config: { keys: [{ id: 'a', secret: 'dgm_secret' }] } },
    message: /secret/,
  },
  {
    name: 'an admin token in the configuration',
    set: 'minimal',
    values: { config: { admin: { tokens: [{ id: 'a', role: 'admin', secret: 'x'.repeat(40) }] } } },
    message: /secret/,
  },
  {
    name: 'the secret of a sign-in in the configuration',
    set: 'autoscaled',
    values: { config: { admin: { oidc: { clientSecret: 'literal' } } } },
    message: /clientSecret/,
  },
  {
    name: 'the access key of a bucket in the configuration',
    set: 'minimal',
    values: { config: { uploads: { storages: { s3: { bucket: 'b', secretAccessKey: 'abc' } } } } },
    message: /secretAccessKey/,
  },
  {
    name: 'a secret as a variable',
    set: 'minimal',
    values: { env: [{ name: 'OPENAI_API_KEY', value: 'sk-live-1' }] },
    message: /env/,
  },
  {
    name: 'headers of a collector, which have its token, as a variable',
    set: 'minimal',
    values: { env: [{ name: 'OTEL_EXPORTER_OTLP_HEADERS', value: 'authorization=Bearer x' }] },
    message: /env/,
  },
  {
    name: 'a variable that the chart sets',
    set: 'minimal',
    values: { env: [{ name: 'DRAGOMAN_STORE', value: 'memory:' }] },
    message: /env/,
  },
  {
    name: 'the URL of Redis itself in place of its Secret',
    set: 'production',
    values: { store: { redis: { url: 'redis://:password@redis:6379' } } },
    message: /store/,
  },
  {
    name: 'a store in the configuration',
    set: 'production',
    values: { config: { store: 'redis://redis:6379' } },
    message: /config\/store/,
  },
  {
    name: 'an address to listen on in the configuration',
    set: 'minimal',
    values: { config: { listen: { port: 80 } } },
    message: /config\/listen/,
  },
  {
    name: 'a misspelt value',
    set: 'minimal',
    values: { replicaCount: 1 },
    message: /replicaCount/,
  },
  {
    name: 'a number as text',
    set: 'production',
    values: { replicas: 'three' },
    message: /replicas/,
  },
  {
    name: 'a time to end that is too short for the gateway',
    set: 'minimal',
    values: { terminationGracePeriodSeconds: 5 },
    message: /terminationGracePeriodSeconds/,
  },
  {
    name: 'a delay that leaves calls no time',
    set: 'minimal',
    values: { drainDelaySeconds: 61 },
    message: /terminationGracePeriodSeconds: must be greater/,
  },
  {
    name: 'two pods on the volume of one',
    set: 'minimal',
    values: { replicas: 2 },
    message: /store\.kind: several pods cannot share/,
  },
  {
    name: 'a Redis without the Secret of its URL',
    set: 'production',
    values: { store: { redis: { url: { secretName: '', key: 'url' } } } },
    message: /store\.redis\.url\.secretName/,
  },
  {
    name: 'an admin address for other pods without a token',
    set: 'production',
    values: { admin: { token: reference } },
    message: /admin\.token\.secretName/,
  },
  {
    name: 'a ServiceMonitor without a token',
    set: 'autoscaled',
    values: { metrics: { token: reference } },
    message: /metrics\.token\.secretName/,
  },
  {
    name: 'a scaler without a metric',
    set: 'production',
    values: { autoscaling: { cpuUtilization: null } },
    message: /autoscaling: name a metric/,
  },
  {
    name: 'fewer pods at most than at least',
    set: 'production',
    values: { autoscaling: { maxReplicas: 2 } },
    message: /autoscaling\.minReplicas/,
  },
  {
    name: 'a budget that permits no disruption: nodes could not be drained',
    set: 'production',
    values: { podDisruptionBudget: { maxUnavailable: 0 } },
    message: /maxUnavailable/,
  },
]
