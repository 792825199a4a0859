import { describe, expect, test } from 'vitest'

import { createAddressGuard } from '../../src/remote/guard.ts'

describe('the public internet', () => {
  test.each([
    ['1.1.1.1'],
    ['9.255.255.255'],
    ['11.0.0.0'],
    ['100.63.255.255'],
    ['100.128.0.0'],
    ['126.255.255.255'],
    ['128.0.0.1'],
    ['168.63.129.15'],
    ['172.15.255.255'],
    ['172.32.0.0'],
    ['192.0.1.1'],
    ['192.167.255.255'],
    ['192.169.0.0'],
    ['198.17.255.255'],
    ['198.20.0.0'],
    ['223.255.255.255'],
    ['2606:4700:4700::1111'],
    ['2a00:1450:4001:81b::200e'],
  ])('may be reached: %s', (address) => {
    expect(createAddressGuard()(address, 443)).toBe(true)
  })
})

describe('what is not the public internet', () => {
  test.each([
    ['unspecified', ['0.0.0.0', '0.1.2.3', '::']],
    ['loopback', ['127.0.0.1', '127.255.255.255', '::1', '0:0:0:0:0:0:0:1']],
    ['private', ['10.0.0.0', '10.255.255.255', '172.16.0.1', '172.31.255.255', '192.168.1.1']],
    ['shared by carriers', ['100.64.0.1', '100.127.255.255']],
    ['link-local', ['169.254.0.1', 'fe80::1', 'fe80::1%eth0', 'febf::1']],
    ['site-local', ['fec0::1']],
    ['unique local', ['fc00::1', 'fdff::1']],
    ['multicast', ['224.0.0.1', '239.255.255.255', 'ff02::1', 'ff0e::1']],
    ['reserved or broadcast', ['240.0.0.1', '255.255.255.255', '4000::1', '5f00::1']],
    ['for documentation', ['192.0.2.1', '198.51.100.1', '203.0.113.1', '2001:db8::1', '3fff::1']],
    ['for benchmarks', ['198.18.0.1', '198.19.255.255', '2001:2::1']],
    ['for protocols', ['192.0.0.192', '192.88.99.1', '100::1', '2001:10::1']],
    [
      'metadata of a cloud',
      [
        '169.254.169.254',
        '169.254.170.2',
        '100.100.100.200',
        '168.63.129.16',
        'fd00:ec2::254',
        'fd20:ce::254',
      ],
    ],
    ['IPv4 mapped', ['::ffff:127.0.0.1', '::ffff:a00:1', '::ffff:1.1.1.1']],
    ['IPv4 compatible or translated', ['::127.0.0.1', '::ffff:0:127.0.0.1']],
    ['behind NAT64', ['64:ff9b::1.1.1.1', '64:ff9b::a9fe:a9fe', '64:ff9b:1::1.1.1.1']],
    ['6to4 or Teredo', ['2002:7f00:1::', '2002:101:101::1', '2001:0:4136:e378::1']],
    ['no address', ['', 'localhost', '127.1', '2130706433', '0x7f.0.0.1', '[::1]', '1.1.1.1.']],
  ])('cannot be reached: %s', (_, addresses) => {
    const permits = createAddressGuard()

    expect(addresses.filter((address) => permits(address, 443))).toEqual([])
  })
})
