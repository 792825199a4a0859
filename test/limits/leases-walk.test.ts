import { walkLeases } from './leases-walk.ts'

walkLeases({ seeds: [1], steps: 10_000 })
