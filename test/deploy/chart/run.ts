import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'vitest'

import { parse } from 'yaml'

import { runTool } from '../tools.ts'
import {
  type Manifest,
  type SetName,
  type Tree,
  faultsOf,
  lint,
  manifestsOf,
  render,
  sets,
} from './helm.ts'
import { refusals } from './refusals.ts'

// `npm run test:chart`: lints the Helm chart, renders it with each shipped set of values, and validates the
// objects against the schemas of Kubernetes. The first run installs helm from its Go modules.

function only(manifests: readonly Manifest[], kind: string, name = 'llm-dragoman'): Manifest {
  const found = manifests.filter((one) => one.kind === kind && one.metadata.name === name)
  assert.equal(found.length, 1, `${kind} ${name}`)
  return found[0] as Manifest
}

/** A value of an object, whatever it is there. */
const textOf = (value: unknown) => String(value)

const kindsOf = (manifests: readonly Manifest[]) => manifests.map(({ kind }) => kind).toSorted()

const podOf = (manifests: readonly Manifest[]): Tree =>
  only(manifests, 'Deployment').spec['template'] as Tree

function containerOf(manifests: readonly Manifest[]): Tree {
  const containers = podOf(manifests)['spec']?.['containers'] as unknown as Tree[] | undefined
  return containers?.[0] as Tree
}

interface Variable {
  readonly name: string
  readonly value?: string
  readonly valueFrom?: { readonly secretKeyRef: { readonly name: string; readonly key: string } }
}

const variablesOf = (manifests: readonly Manifest[]) =>
  containerOf(manifests)['env'] as unknown as Variable[]

const variable = (manifests: readonly Manifest[], name: string) =>
  variablesOf(manifests).find((one) => one.name === name)

function configOf(manifests: readonly Manifest[]): string {
  return only(manifests, 'ConfigMap').data?.['dragoman.config.yaml'] ?? ''
}

const kinds: Readonly<Record<SetName, readonly string[]>> = {
  minimal: ['ConfigMap', 'Deployment', 'PersistentVolumeClaim', 'Service', 'ServiceAccount'],
  production: [
    'ConfigMap',
    'Deployment',
    'HorizontalPodAutoscaler',
    'NetworkPolicy',
    'PodDisruptionBudget',
    'Service',
    'Service',
    'Service',
    'ServiceAccount',
  ],
  autoscaled: [
    'ConfigMap',
    'Deployment',
    'HorizontalPodAutoscaler',
    'PodDisruptionBudget',
    'Service',
    'Service',
    'Service',
    'ServiceAccount',
    'ServiceMonitor',
  ],
}

for (const set of sets) {
  describe(`the values ${set}`, async () => {
    const manifests = await manifestsOf(set)

    test('pass the linter', async () => {
      const { code, stdout, stderr } = await lint(set)
      assert.equal(code, 0, stdout + stderr)
    })

    test('make the objects that they ask for, as Kubernetes knows them', async () => {
      assert.deepEqual(kindsOf(manifests), kinds[set])
      const known = manifests.filter(({ apiVersion }) => !apiVersion.startsWith('monitoring.'))
      assert.equal(await faultsOf(known), '')
    })

    test('make objects that find each other', () => {
      const labels = podOf(manifests)['metadata']?.['labels'] as unknown as Record<string, string>
      const selecting = manifests.flatMap(({ kind, spec }) => {
        if (kind === 'Service') return [spec['selector']]
        if (['Deployment', 'PodDisruptionBudget'].includes(kind))
          return [spec['selector']?.['matchLabels']]
        return kind === 'NetworkPolicy' ? [spec['podSelector']?.['matchLabels']] : []
      })
      assert.ok(selecting.length >= 2)
      for (const selector of selecting) assert.deepEqual({ ...labels, ...selector }, labels)
      const account = podOf(manifests)['spec']?.['serviceAccountName']
      assert.equal(textOf(account), only(manifests, 'ServiceAccount').metadata.name)
    })

    test('probe the API address, and restart no pod that has no account', () => {
      const container = containerOf(manifests)
      const probes = ['startupProbe', 'readinessProbe', 'livenessProbe'].map(
        (name) => container[name] as Tree,
      )
      const paths = probes.map((probe) => textOf(probe['httpGet']?.['path']))
      assert.deepEqual(paths, ['/livez', '/readyz', '/livez'])
      const times = probes.map((probe) => [probe['periodSeconds'], probe['failureThreshold']])
      assert.deepEqual(times, [
        [1, 120],
        // One slow answer takes no pod out of service.
        [5, 2],
        [10, 6],
      ])
      assert.equal(container['lifecycle'], undefined)
    })

    test('leave a pod the time that its gateway takes to end', () => {
      const grace = Number(podOf(manifests)['spec']?.['terminationGracePeriodSeconds'])
      const passed = variable(manifests, 'TERMINATION_GRACE_PERIOD_SECONDS')?.value
      assert.equal(passed, String(grace))
      // 5 s for balancers, 55 s for calls under way, 5 s to close.
      assert.ok(grace >= 65)
    })

    test('give the pod no rights, and nothing to write but its volumes', () => {
      const pod = podOf(manifests)['spec'] as Tree
      const container = containerOf(manifests)
      assert.deepEqual(container['securityContext'], {
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      })
      const { runAsNonRoot, runAsUser, seccompProfile } = pod['securityContext'] as Tree
      assert.deepEqual([runAsNonRoot, runAsUser], [true, 65_532])
      assert.deepEqual(seccompProfile, { type: 'RuntimeDefault' })
      assert.equal(pod['automountServiceAccountToken'], false)
      const mounts = container['volumeMounts'] as unknown as {
        mountPath: string
        readOnly?: true
      }[]
      const writable = mounts.filter(({ readOnly }) => !readOnly).map(({ mountPath }) => mountPath)
      assert.deepEqual(writable.toSorted(), ['/data', '/tmp'])
    })

    test('hold no secret: each comes from a Secret that they name', async () => {
      assert.ok(!manifests.some(({ kind }) => kind === 'Secret'))
      const secret = /(?:KEY|TOKEN|SECRET|PASSWORD|HEADERS|REDIS_URL)$/
      const literal = variablesOf(manifests).filter(({ name, value }) => secret.test(name) && value)
      assert.deepEqual(literal, [])
      const config = parse(configOf(manifests)) as Tree
      const values = stringsUnder(config, /^(?:secret|apiKey|clientSecret|store)$/)
      assert.ok(values.length >= 3)
      assert.deepEqual(
        values.filter((value) => !/^(?:env:|file:\/)/.test(value)),
        [],
      )
    })

    test('make a configuration that the gateway accepts, with a secret for each place', async () => {
      const { code, stdout, stderr } = await checkConfiguration(manifests)
      assert.equal(code, 0, stdout + stderr)
    })
  })
}

describe('the objects', () => {
  test('replace pods one after the other, but never two on the volume of a file store', async () => {
    const { strategy } = only(await manifestsOf('production'), 'Deployment').spec
    assert.deepEqual(strategy, {
      type: 'RollingUpdate',
      rollingUpdate: { maxUnavailable: 0, maxSurge: 1 },
    })
    const minimal = only(await manifestsOf('minimal'), 'Deployment').spec
    assert.deepEqual([minimal['strategy'], minimal['replicas']], [{ type: 'Recreate' }, 1])
  })

  test('restart pods for a change of the configuration, and for no other', async () => {
    const sumOf = async (more: object) => {
      const metadata = podOf(await manifestsOf('minimal', { ...more }))['metadata']
      return metadata?.['annotations']?.['checksum/config']
    }
    const before = await sumOf({})
    assert.match(textOf(before), /^[0-9a-f]{64}$/)
    assert.equal(await sumOf({ service: { port: 8080 } }), before)
    assert.notEqual(await sumOf({ config: { aliases: { fast: 'gpt-4.1-mini' } } }), before)
    assert.equal(await sumOf({ restartOnConfigChange: false }), undefined)
  })

  test('scale by requests in flight with the processor beside, and slowly down', async () => {
    const both = only(await manifestsOf('autoscaled'), 'HorizontalPodAutoscaler').spec
    const metrics = both['metrics'] as unknown as Tree[]
    assert.deepEqual(
      metrics.map(({ type }) => type),
      ['Pods', 'Resource'],
    )
    const [pods] = metrics
    assert.deepEqual(pods?.['pods'], {
      metric: { name: 'http_server_active_requests' },
      target: { type: 'AverageValue', averageValue: '200' },
    })
    const down = both['behavior']?.['scaleDown']?.['stabilizationWindowSeconds']
    assert.ok(Number(down) >= 600)
    const fallback = only(await manifestsOf('production'), 'HorizontalPodAutoscaler').spec
    const left = fallback['metrics'] as unknown as Tree[]
    assert.deepEqual(
      left.map(({ type }) => type),
      ['Resource'],
    )
    for (const set of ['autoscaled', 'production'] as const)
      assert.equal(only(await manifestsOf(set), 'Deployment').spec['replicas'], undefined)
  })

  test('let only those reach the admin address whom the policy names, and Redis', async () => {
    const manifests = await manifestsOf('production')
    const { ingress, egress } = only(manifests, 'NetworkPolicy').spec as unknown as {
      ingress: { ports: { port: string }[]; from: object[] }[]
      egress: { ports: { port: number }[]; to?: object[] }[]
    }
    assert.deepEqual(
      ingress.map(({ ports }) => ports[0]?.port),
      ['http', 'admin'],
    )
    assert.ok(JSON.stringify(ingress[1]?.from).includes('monitoring'))
    assert.deepEqual(
      egress.flatMap(({ ports }) => ports.map(({ port }) => port)),
      [53, 53, 443, 6379],
    )
    const closed = await manifestsOf('production', { networkPolicy: { operators: [] } })
    const rules = only(closed, 'NetworkPolicy').spec['ingress'] as unknown as object[]
    assert.equal(rules.length, 1)
  })

  test('let Prometheus find the service of metrics, which is no way to find the admin API, with its token', async () => {
    const manifests = await manifestsOf('autoscaled')
    const service = only(manifests, 'Service', 'llm-dragoman-metrics')
    assert.deepEqual(service.spec['ports'], [
      { name: 'metrics', port: 9464, targetPort: 'admin', appProtocol: 'http' },
    ])
    const monitor = only(manifests, 'ServiceMonitor')
    const selector = monitor.spec['selector']?.['matchLabels'] as unknown as Record<string, string>
    assert.deepEqual({ ...service.metadata.labels, ...selector }, service.metadata.labels)
    for (const name of ['llm-dragoman', 'llm-dragoman-admin']) {
      const { labels } = only(manifests, 'Service', name).metadata
      assert.notDeepEqual({ ...labels, ...selector }, labels)
    }
    assert.equal(monitor.metadata.labels['release'], 'prometheus')
    assert.deepEqual(monitor.spec, {
      namespaceSelector: { matchNames: ['ai'] },
      selector: { matchLabels: selector },
      endpoints: [
        {
          port: 'metrics',
          path: '/metrics',
          interval: '15s',
          scrapeTimeout: '10s',
          authorization: {
            type: 'Bearer',
            credentials: { name: 'dragoman', key: 'metrics-token' },
          },
        },
      ],
    })
    const token = variable(manifests, 'METRICS_TOKEN')?.valueFrom?.secretKeyRef
    assert.deepEqual(token, { name: 'dragoman', key: 'metrics-token' })
    const { admin } = parse(configOf(manifests)) as {
      admin: { tokens: object[]; allowedHosts: string[] }
    }
    assert.deepEqual(admin.tokens, [{ id: 'metrics', role: 'viewer', secret: 'env:METRICS_TOKEN' }])
    assert.ok(admin.allowedHosts.includes('llm-dragoman-admin.ai.svc'))
    assert.ok(admin.allowedHosts.includes('llm-dragoman-metrics.ai.svc'))
    assert.ok(admin.allowedHosts.includes('admin.example.com'))
  })

  test('keep the admin address to the pod, or leave it out, as the values say', async () => {
    const minimal = await manifestsOf('minimal')
    assert.equal(variable(minimal, 'DRAGOMAN_ADMIN_HOST'), undefined)
    assert.deepEqual(kindsOf(minimal).filter((kind) => kind === 'Service').length, 1)
    const off = await manifestsOf('minimal', { admin: { enabled: false } })
    assert.equal((parse(configOf(off)) as { admin: unknown }).admin, false)
    assert.equal((await checkConfiguration(off)).code, 0)
  })

  test('take a delay of the drain that leaves time for calls', async () => {
    const manifests = await manifestsOf('minimal', { drainDelaySeconds: 7.5 })
    assert.equal(variable(manifests, 'DRAGOMAN_DRAIN_DELAY_MS')?.value, '7500')
  })

  test('have an ingress for the API alone, with the names and certificates of the values', async () => {
    const manifests = await manifestsOf('production', {
      ingress: {
        enabled: true,
        className: 'nginx',
        annotations: { 'nginx.ingress.kubernetes.io/proxy-http-version': '1.1' },
        hosts: ['llm.example.com'],
        tls: [{ secretName: 'llm-tls', hosts: ['llm.example.com'] }],
      },
    })
    assert.equal(await faultsOf(manifests), '')
    const { metadata, spec } = only(manifests, 'Ingress')
    assert.deepEqual(metadata.annotations, {
      'nginx.ingress.kubernetes.io/proxy-http-version': '1.1',
    })
    const backend = { service: { name: 'llm-dragoman', port: { name: 'http' } } }
    assert.deepEqual(spec, {
      ingressClassName: 'nginx',
      rules: [
        {
          host: 'llm.example.com',
          http: { paths: [{ path: '/', pathType: 'Prefix', backend }] },
        },
      ],
      tls: [{ secretName: 'llm-tls', hosts: ['llm.example.com'] }],
    })
  })

  test('have the rules of Prometheus as they are, with their templates', async () => {
    const labels = { release: 'prometheus' }
    const manifests = await manifestsOf('minimal', {
      metrics: { prometheusRule: { enabled: true, labels } },
    })
    const rule = only(manifests, 'PrometheusRule')
    assert.equal(rule.metadata.labels['release'], 'prometheus')
    const file = join(import.meta.dirname, '../../../deploy/prometheus/rules.yaml')
    assert.deepEqual(rule.spec, parse(await readFile(file, 'utf8')))
  })

  test('mount volumes of the values', async () => {
    const manifests = await manifestsOf('minimal', {
      extraVolumes: [{ name: 'authorities', configMap: { name: 'authorities' } }],
      extraVolumeMounts: [{ name: 'authorities', mountPath: '/etc/authorities', readOnly: true }],
    })
    assert.equal(await faultsOf(manifests), '')
    const mounts = containerOf(manifests)['volumeMounts'] as unknown as Tree[]
    assert.equal(textOf(mounts.at(-1)?.['mountPath']), '/etc/authorities')
    const volumes = podOf(manifests)['spec']?.['volumes'] as unknown as Tree[]
    assert.deepEqual(volumes.at(-1), {
      name: 'authorities',
      configMap: { name: 'authorities' },
    })
  })

  test('are valid with all that can be set', async () => {
    const manifests = await manifestsOf('production', {
      imagePullSecrets: [{ name: 'registry' }],
      image: { digest: `sha256:${'0'.repeat(64)}` },
      serviceAccount: { create: false, name: 'other' },
      service: { type: 'LoadBalancer', annotations: { 'example.com/internal': 'true' } },
      podAnnotations: { 'example.com/a': 'b' },
      podLabels: { 'example.com/c': 'd' },
      tolerations: [{ key: 'gpu', operator: 'Exists', effect: 'NoSchedule' }],
      affinity: { nodeAffinity: {} },
      priorityClassName: 'high',
      topologySpreadConstraints: [
        { maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'DoNotSchedule' },
      ],
    })
    assert.equal(await faultsOf(manifests), '')
    assert.match(textOf(containerOf(manifests)['image']), /dragoman@sha256:0{64}$/)
    assert.ok(!kindsOf(manifests).includes('ServiceAccount'))
  })
})

describe('wrong values', () => {
  for (const { name, set, values, message } of refusals)
    test(name, async () => {
      const { code, stderr } = await render(set, values)
      assert.notEqual(code, 0)
      assert.match(stderr, message)
    })
})

describe('the checks', () => {
  test('find objects that Kubernetes refuses', async () => {
    const [manifest] = await manifestsOf('minimal')
    assert.ok(manifest)
    const wrong = { ...manifest, spec: { replicaCount: 1 } as unknown as Tree }
    assert.notEqual(await faultsOf([wrong]), '')
  })

  test('find configurations that the gateway refuses', async () => {
    const manifests = await manifestsOf('minimal', { config: { limits: { attempts: 'many' } } })
    const { code, stderr } = await checkConfiguration(manifests)
    assert.notEqual(code, 0)
    assert.match(stderr, /limits\.attempts/)
  })
})

/** The strings below members of these names. */
function stringsUnder(tree: unknown, names: RegExp): string[] {
  if (typeof tree !== 'object' || tree === null) return []
  return Object.entries(tree).flatMap(([name, value]: [string, unknown]) =>
    typeof value === 'string' ? (names.test(name) ? [value] : []) : stringsUnder(value, names),
  )
}

/** Has the gateway check the configuration of the ConfigMap, with the variables and files of the pod. */
async function checkConfiguration(manifests: readonly Manifest[]) {
  const directory = await mkdtemp(join(tmpdir(), 'dragoman-config-'))
  try {
    const secret = join(directory, 'secret')
    await writeFile(secret, 'x'.repeat(40))
    const text = configOf(manifests)
      .replaceAll(/file:\/run\/secrets\/\S+/g, `file:${secret}`)
      .replace('file:/data/store', `file:${join(directory, 'store')}`)
    await writeFile(join(directory, 'dragoman.config.yaml'), text)
    const places = [...text.matchAll(/env:(\w+)/g)].map(([, name = '']) => name)
    const named = variablesOf(manifests)
    const secrets = [
      ...places,
      ...named.filter(({ valueFrom }) => valueFrom).map(({ name }) => name),
    ]
    const env = {
      ...Object.fromEntries(named.map(({ name, value = '' }) => [name, value])),
      ...Object.fromEntries(secrets.map((name) => [name, `${name}-${'x'.repeat(40)}`])),
      REDIS_URL: 'redis://:password@127.0.0.1:1',
      OTEL_EXPORTER_OTLP_HEADERS: '',
      DRAGOMAN_CONFIG: directory,
    }
    const main = join(import.meta.dirname, '../../../src/cli/main.ts')
    return await runTool(process.execPath, [main, 'check'], { cwd: directory, env })
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}
