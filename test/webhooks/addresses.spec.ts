import { isAllowedAddress } from '../../src/webhooks/address-rules';
import { normalized, urlFault } from '../../src/webhooks/webhook-url';
import fc from '../support/properties';

const PUBLIC = { loopback: false };

/** From the registries of special-purpose addresses (IANA, RFC 6890 and its updates), written down apart from the guard. */
const SPECIAL_V4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  '255.255.255.255/32',
  '168.63.129.16/32',
];

const toNumber = (address: string): number => address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
const dotted = (number: number): string => [24, 16, 8, 0].map((shift) => (number >>> shift) & 255).join('.');
const hexGroups = (number: number): string => `${(number >>> 16).toString(16)}:${(number & 0xffff).toString(16)}`;

const inRange = (range: string) => {
  const [base = '', length = '32'] = range.split('/');
  return fc.nat({ max: 2 ** (32 - Number(length)) - 1 }).map((offset) => toNumber(base) + offset);
};
const special = fc.oneof(...SPECIAL_V4.map(inRange));
const isSpecial = (number: number): boolean =>
  SPECIAL_V4.some((range) => {
    const [base = '', length = '32'] = range.split('/');
    return Math.floor(number / 2 ** (32 - Number(length))) === Math.floor(toNumber(base) / 2 ** (32 - Number(length)));
  });

/** Ways to write an IPv4 address into a URL that clients read as that address. */
const SPELLINGS: ((number: number) => string)[] = [
  dotted,
  (number) => String(number),
  (number) => `0x${number.toString(16)}`,
  (number) => `0${number.toString(8)}`,
  (number) =>
    dotted(number)
      .split('.')
      .map((part) => `0x${Number(part).toString(16)}`)
      .join('.'),
  (number) =>
    dotted(number)
      .split('.')
      .map((part) => `0${Number(part).toString(8)}`)
      .join('.'),
  (number) => `${number >>> 24}.${number & 0xffffff}`,
  (number) => `${number >>> 24}.${(number >>> 16) & 255}.${number & 0xffff}`,
  (number) => `${dotted(number)}.`,
  (number) => dotted(number).replaceAll('.', '%2e'),
  (number) => dotted(number).replaceAll('.', '。'),
  (number) => `[::ffff:${dotted(number)}]`,
  (number) => `[::ffff:${hexGroups(number)}]`,
  (number) => `[0:0:0:0:0:ffff:${hexGroups(number)}]`,
  (number) => `[::ffff:0:${hexGroups(number)}]`,
  (number) => `[::${dotted(number)}]`,
  (number) => `[64:ff9b::${hexGroups(number)}]`,
  (number) => `[64:ff9b:1::${hexGroups(number)}]`,
  (number) => `[2002:${hexGroups(number)}::1]`,
  (number) => `[2001:0:${hexGroups(number)}::1]`,
];

it('no address of a private, shared, local or reserved network passes, however it is spelled in a URL', () => {
  fc.assert(
    fc.property(special, fc.constantFrom(...SPELLINGS), (number, spell) => {
      expect({ url: `https://${spell(number)}/hook`, fault: urlFault(`https://${spell(number)}/hook`, PUBLIC) }).toMatchObject({
        fault: { code: expect.stringMatching(/^(address|invalid_url)$/) },
      });
    }),
    { numRuns: 2_000 },
  );
});

it('of all IPv4 addresses those pass that are of the public internet', () => {
  fc.assert(
    fc.property(fc.nat({ max: 2 ** 32 - 1 }), (number) => {
      // Anycast services of the DNS and of multicast have ranges of their own, which nobody serves webhooks from.
      fc.pre(!/^(192\.175\.48|192\.31\.196|192\.52\.193)\./.test(dotted(number)));
      expect(isAllowedAddress(dotted(number), PUBLIC)).toBe(!isSpecial(number));
    }),
    { numRuns: 2_000 },
  );
});

it('of IPv6 addresses only those of the global range may pass, and none that carries another address', () => {
  const groups = fc.array(fc.nat({ max: 0xffff }), { minLength: 8, maxLength: 8 });
  const written = groups.map((parts) => ({ first: parts[0] ?? 0, text: parts.map((part) => part.toString(16)).join(':') }));
  fc.assert(
    fc.property(written, ({ first, text }) => {
      if (first >>> 13 !== 1 || first === 0x2002) expect(isAllowedAddress(text, PUBLIC)).toBe(false);
    }),
    { numRuns: 2_000 },
  );
  expect(isAllowedAddress('2606:4700:4700::1111', PUBLIC)).toBe(true);
});

it.each([
  '',
  'fe80::1',
  'fe80::1%eth0',
  'fd00:ec2::254',
  'fc00::1',
  'fec0::1',
  '::',
  '::1',
  'ff02::1',
  '100::1',
  '2001:db8::1',
  '3fff::1',
  '5f00::1',
  '2001:2::1',
  '2001:10::1',
  '169.254.169.254',
  '100.100.100.200',
  '192.0.0.192',
  '168.63.129.16',
  '127.1',
  '0x7f000001',
  '2130706433',
  'localhost',
])('the address %j is refused at the time of connecting', (address) => {
  expect(isAllowedAddress(address, PUBLIC)).toBe(false);
});

it.each([
  ['http://example.com/hook', 'not_https'],
  ['ftp://example.com/hook', 'not_https'],
  ['file:///etc/passwd', 'not_https'],
  ['https://user:password@example.com/hook', 'credentials'],
  ['https://token@example.com/hook', 'credentials'],
  ['https://example.com:22/hook', 'port'],
  ['https://example.com:5432/', 'port'],
  ['https://example.com:80/', 'port'],
  ['https://example.com/#part', 'fragment'],
  ['https://localhost/hook', 'address'],
  ['https://api.localhost/hook', 'address'],
  ['https://LOCALHOST./hook', 'address'],
  ['https://intranet/hook', 'address'],
  ['https://[::1]/hook', 'address'],
  ['https:///hook', 'address'],
  ['/hook', 'invalid_url'],
  ['', 'invalid_url'],
  ['https://', 'invalid_url'],
  ['https://exa mple.com/', 'invalid_url'],
  [`https://example.com/${'a'.repeat(2048)}`, 'too_long'],
  ['https://example.com/\u0000', 'invalid_character'],
  ['https://example.com/a\nb', 'invalid_character'],
])('the URL %j is refused as %s', (url, code) => {
  expect(urlFault(url, PUBLIC)).toMatchObject({ code });
});

it.each([
  'https://example.com',
  'https://hooks.example.com:8443/a?b=c',
  'https://example.com:443/',
  'https://93.184.216.34/',
  'HTTPS://EXAMPLE.com./x',
])('the URL %j is taken', (url) => {
  expect(urlFault(url, PUBLIC)).toBeNull();
});

it.each([
  ['  https://example.com \n', 'https://example.com/'],
  ['https://bücher.example/a b', 'https://xn--bcher-kva.example/a%20b'],
  ['https://example.com\\evil/', 'https://example.com/evil/'],
  // Written out it is too long to be kept.
  [`https://example.com/${'é'.repeat(1000)}`, `https://example.com/${'é'.repeat(1000)}`],
])('the URL %j is kept as it is delivered to: %s', (typed, kept) => {
  expect(urlFault(typed, PUBLIC)).toBeNull();
  expect(normalized(typed)).toBe(kept);
});

it('where loopback is allowed, nothing else is', () => {
  const rules = { loopback: true };
  for (const url of ['http://127.0.0.1:4000/', 'https://[::1]:9/', 'http://127.8.8.8/']) expect(urlFault(url, rules)).toBeNull();
  for (const url of ['http://10.0.0.1/', 'http://169.254.169.254/', 'http://example.com/', 'https://example.com:9/', 'http://localhost:1/'])
    expect(urlFault(url, rules)).not.toBeNull();
  fc.assert(fc.property(special, (number) => expect(isAllowedAddress(dotted(number), rules)).toBe(dotted(number).startsWith('127.'))));
});
