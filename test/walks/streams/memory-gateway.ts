import { type TestGatewayOptions, createTestGateway } from '../../../src/testing/gateway.ts'

/** A gateway in a process of its own, which tells how much memory it holds. */
const options = JSON.parse(process.argv[2] ?? '{}') as TestGatewayOptions
const gateway = await createTestGateway(options)

process.on('message', () => process.send?.({ rss: process.memoryUsage().rss }))
process.once('disconnect', () => process.exit())
process.send?.({ url: gateway.url, key: gateway.key })
