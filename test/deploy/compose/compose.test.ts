import { execFile } from 'node:child_process'
import { access, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'

import { startRedis } from '../../../src/testing/redis.ts'
import { openPlace } from '../../cli/dragoman.ts'
import { copyProject, folder, readProject, repository, serviceOf } from './project.ts'

const run = promisify(execFile)
const project = await readProject()
const services = Object.entries(project.services)
const gateways = ['gateway-1', 'gateway-2']

describe('the services', () => {
  test('are two gateways with what they need, of exact versions', () => {
    expect(Object.keys(project.services)).toEqual([
      ...gateways,
      'sandbox',
      'nginx',
      'redis',
      'jaeger',
      'prometheus',
      'grafana',
    ])
    const foreign = services
      .map(([, { image = '' }]) => image)
      .filter((image) => !/IMAGE/.test(image))
    expect(foreign.filter((image) => !/:v?\d+\.\d+\.\d+(?:-\w+)?$/.test(image))).toEqual([])
    expect(foreign).toHaveLength(5)
  })

  test('run with a read-only root and without rights', () => {
    for (const [name, service] of services) {
      expect([name, service.read_only, service.cap_drop, service.security_opt]).toEqual([
        name,
        true,
        ['ALL'],
        ['no-new-privileges:true'],
      ])
    }
  })

  test('publish nothing but nginx, on the loopback interface; the pages only if asked for', async () => {
    const published = services.filter(([, { ports }]) => ports).map(([name]) => name)
    expect(published).toEqual(['nginx'])
    const pages = Object.values((await readProject('compose.pages.yaml')).services)
    const ports = [...Object.values(project.services), ...pages].flatMap(({ ports = [] }) => ports)
    expect(ports.filter((port) => !port.startsWith('127.0.0.1:'))).toEqual([])
    expect(ports).toHaveLength(4)
    // Redis and the pages reach nothing outside.
    expect(project.networks['store']?.internal).toBe(true)
    expect(project.networks['telemetry']?.internal).toBe(true)
  })

  test('mount files that are here, or that make-secrets.sh writes', async () => {
    await using copy = await copyProject()
    const mounted = services.flatMap(([, { volumes = [] }]) =>
      volumes
        .filter((volume) => volume.startsWith('.'))
        .map((volume) => volume.split(':')[0] ?? ''),
    )
    expect(mounted.length).toBeGreaterThan(5)
    const missing = await Promise.all(
      mounted.map((path) =>
        access(join(folder, path)).then(
          () => [],
          () => [path],
        ),
      ),
    )
    expect(missing.flat()).toEqual([])
    const secrets = Object.values(project.secrets).map(({ file }) => file)
    const used = services.flatMap(([, { secrets = [] }]) => secrets)
    expect(secrets.map((file) => file.replace('secrets/', '')).toSorted()).toEqual(used.toSorted())
    for (const file of [...secrets, 'secrets/gateway.env']) await access(join(copy.path, file))
  })

  test('have gateways that end in the time that the engine leaves them', () => {
    for (const name of gateways) {
      const { stop_grace_period: grace, environment } = serviceOf(project, name)
      expect(grace).toBe(`${environment?.['TERMINATION_GRACE_PERIOD_SECONDS']}s`)
    }
  })
})

describe('the secrets', () => {
  test('are random, closed to others on the machine, and not overwritten', async () => {
    await using copy = await copyProject()
    const { mode } = await stat(join(copy.path, 'secrets'))
    expect(mode & 0o777).toBe(0o700)
    const values = Object.values(copy.variables)
    expect(new Set(values).size).toBe(values.length)
    expect(values.filter((value) => !/[0-9a-f]{64}/.test(value))).toEqual([])
    const again = run(join(copy.path, 'make-secrets.sh'))
    await expect(again).rejects.toThrow(/exists already/)
    await using other = await copyProject()
    expect(values.filter((value) => Object.values(other.variables).includes(value))).toEqual([])
  })

  test('fit together: Redis and its URL, Prometheus and its token', async () => {
    await using copy = await copyProject()
    const redis = await copy.read('secrets/redis.conf')
    const { REDIS_URL = '', PROMETHEUS_TOKEN } = copy.variables
    expect(redis).toBe(`requirepass ${new URL(REDIS_URL).password}\n`)
    expect(await copy.read('secrets/prometheus-token')).toBe(PROMETHEUS_TOKEN)
  })
})

describe('the configuration', () => {
  test('of the gateways passes their check, with the variables of the secrets', async () => {
    await using copy = await copyProject()
    await using redis = await startRedis()
    await using place = await openPlace()
    const { environment } = serviceOf(project, 'gateway-1')
    const env = { ...environment, ...copy.variables, REDIS_URL: redis.url }
    const config = join(copy.path, 'gateway/dragoman.config.yaml')
    const own = { DRAGOMAN_HOST: '0.0.0.0', DRAGOMAN_PUBLIC_URL: 'http://127.0.0.1:8080' }
    const { code, stdout, stderr } = await place.call(`check --config ${config}`, {
      ...env,
      ...own,
    })
    expect([code, stderr]).toEqual([0, expect.stringContaining('No problems.')])
    expect(stdout).toMatch(/sandbox-a/)
    const shown = stdout + stderr
    expect(Object.values(copy.variables).filter((value) => shown.includes(value))).toEqual([])
  })

  test('of Redis has its password, writes to disk and evicts nothing', async () => {
    await using copy = await copyProject()
    const text = await copy.read('redis.conf')
    const here = text.replace('/run/secrets/', `${copy.path}/secrets/`).replace('/data', copy.path)
    const config = join(copy.path, 'here.conf')
    await writeFile(config, here.replace(/^port .*$/m, ''))
    // As options, which `startRedis` gives the file's name before its own.
    await using redis = await startRedis('--include', config)
    expect(await redis.command('PING')).toMatch(/NOAUTH/)
    const { password } = new URL(copy.variables['REDIS_URL'] ?? '')
    const { stdout } = await run('redis-cli', [
      '-p',
      String(redis.port),
      '--no-auth-warning',
      '-a',
      password,
      'CONFIG',
      'GET',
      'appendonly',
      'maxmemory-policy',
    ])
    expect(stdout.split('\n').filter(Boolean).toSorted()).toEqual(
      ['appendonly', 'yes', 'maxmemory-policy', 'noeviction'].toSorted(),
    )
  })

  test('of nginx is the tested one, with the addresses of the gateways', async () => {
    await using copy = await copyProject()
    const [, , script = ''] = serviceOf(project, 'nginx').entrypoint ?? []
    const written = join(copy.path, 'nginx.conf')
    const here = script
      .replaceAll('/tmp/', `${copy.path}/`)
      .replace('/etc/nginx/dragoman.conf', join(repository, 'deploy/nginx/dragoman.conf'))
      .replace('exec nginx', 'exec nginx -t')
    // Through a pipe of the shell: nginx cannot open the socket that Node gives as output.
    const { stdout: verdict } = await run('sh', ['-euc', `{ ${here}\n} 2>&1 | cat`])
    expect(verdict).toMatch(/test is successful/)
    const { stdout } = await run('grep', ['-E', '^ *server [0-9]', written])
    const addresses = gateways.map(
      (name) => serviceOf(project, name).networks?.['edge']?.ipv4_address,
    )
    const upstreams = stdout.split('\n').filter(Boolean)
    expect(upstreams.map((line) => /server ([\d.]+):8787 /.exec(line)?.[1])).toEqual(addresses)
    const { trustedProxies } = parse(await copy.read('gateway/dragoman.config.yaml')) as {
      trustedProxies: string[]
    }
    expect(trustedProxies).toEqual([serviceOf(project, 'nginx').networks?.['edge']?.ipv4_address])
  })

  // The shipped nginx and most ingresses pass a client's `traceparent` on.
  test.each(['compose/gateway/dragoman.config.yaml', 'helm/values/autoscaled.yaml'])(
    'in %s lets no client decide what is sampled, although it comes through a trusted proxy',
    async (file) => {
      const text = await readFile(join(repository, 'deploy', file), 'utf8')
      const { config, ...own } = parse(text) as { config?: object }
      expect(config ?? own).toMatchObject({
        trustedProxies: [expect.any(String)],
        telemetry: { traces: { incoming: 'link' } },
      })
    },
  )

  test('of Prometheus is valid, and names hosts that the admin address accepts', async () => {
    await using copy = await copyProject()
    const text = await copy.read('prometheus.yaml')
    const here = text
      .replace('/run/secrets', `${copy.path}/secrets`)
      .replace('/etc/prometheus/rules/*.yaml', join(repository, 'deploy/prometheus/*.yaml'))
    await writeFile(join(copy.path, 'here.yaml'), here)
    const { stdout } = await run('promtool', ['check', 'config', join(copy.path, 'here.yaml')])
    expect(stdout).toMatch(/SUCCESS/)
    const { scrape_configs: jobs } = parse(text) as {
      scrape_configs: { static_configs: { targets: string[] }[] }[]
    }
    const { admin } = parse(await copy.read('gateway/dragoman.config.yaml')) as {
      admin: { allowedHosts: string[] }
    }
    const targets = jobs[0]?.static_configs[0]?.targets
    expect(targets).toEqual(admin.allowedHosts.map((host) => `${host}:8788`))
    expect(admin.allowedHosts).toEqual(gateways)
  })

  test('of Grafana names the services, and the folder in which the dashboard is mounted', async () => {
    await using copy = await copyProject()
    const { datasources } = parse(await copy.read('grafana/datasources/dragoman.yaml')) as {
      datasources: { url: string }[]
    }
    const hosts = datasources.map(({ url }) => new URL(url).hostname)
    expect(hosts.filter((host) => !project.services[host])).toEqual([])
    const { providers } = parse(await copy.read('grafana/dashboards/dragoman.yaml')) as {
      providers: { options: { path: string } }[]
    }
    const [, target] = serviceOf(project, 'grafana').volumes?.[1]?.split(':') ?? []
    expect(target).toBe(`${providers[0]?.options.path}/dragoman.json`)
  })
})
