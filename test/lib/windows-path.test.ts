import { expect, test } from 'vitest';
import { insteadOf, mountRootIn, pathInUrl, placeHere, USUAL_VIEW } from '../../src/lib/windows-path.ts';

const UBUNTU = { mountRoot: '/mnt/', distribution: 'Ubuntu' };

test.each([
  ['C:\\foo', '/mnt/c/foo'],
  ['D:/x', '/mnt/d/x'],
  ['d:\\', '/mnt/d'],
  ['C:\\Users\\Jane Doe\\my app\\', '/mnt/c/Users/Jane Doe/my app'],
  ['c:\\a/b\\\\c', '/mnt/c/a/b/c'],
  ['C:\\a\\..\\b', '/mnt/c/a/../b'],
  ['E:\\ein Verzeichnis für ähnliches', '/mnt/e/ein Verzeichnis für ähnliches'],
])('%s is a directory here: %s (R112, B113)', (path, here) => {
  expect(placeHere(path, UBUNTU)).toEqual({ kind: 'here', path: here });
  expect(placeHere(path, USUAL_VIEW)).toEqual({ kind: 'here', path: here });
});

test.each([
  ['/win/', 'C:\\foo', '/win/c/foo'],
  ['/', 'C:\\foo', '/c/foo'],
])('drives are where WSL mounts them: with %s as root %s is %s (R112)', (mountRoot, path, here) => {
  expect(placeHere(path, { ...UBUNTU, mountRoot })).toEqual({ kind: 'here', path: here });
});

test.each(['/mnt/c/foo', '/c/Users/a', '~/x', 'src', '..', './C:foo', 'CC:\\x', '/C:/x', 'back\\slash', '\\x', '//srv//x', '//wsl', '', 'files:x'])('%s is no path of Windows, and stays as it is (B113)', (path) => {
  expect(placeHere(path, UBUNTU)).toEqual({ kind: 'here', path });
});

test.each([
  ['a:b/c:d', '/mnt/a/b/c:d', 'is relative to a drive of Windows'],
  ['C:', '/mnt/c', 'is relative to a drive of Windows'],
  ['C:foo\\bar', '/mnt/c/foo/bar', 'is relative to a drive of Windows'],
  ['\\\\?\\C:\\very\\long', '/mnt/c/very/long', 'is a path of Windows in its verbatim form'],
  ['//?/C:/x', '/mnt/c/x', 'is a path of Windows in its verbatim form'],
  ['\\\\.\\D:\\x', '/mnt/d/x', 'is a path of Windows in its verbatim form'],
  ['file:///C:/Users/x', '/mnt/c/Users/x', 'is a URL, not a path'],
  ['FILE:///home/a%20b', '/home/a b', 'is a URL, not a path'],
  ['\\\\wsl$\\Ubuntu\\home\\me', '/home/me', 'is what Windows calls a directory of this system'],
  ['\\\\WSL.localhost\\ubuntu', '/', 'is what Windows calls a directory of this system'],
  ['//wsl.localhost/Ubuntu/home/me', '/home/me', 'is what Windows calls a directory of this system'],
  ['file://wsl.localhost/Ubuntu/home/me', '/home/me', 'is what Windows calls a directory of this system'],
  ['\\\\?\\UNC\\wsl$\\Ubuntu\\home', '/home', 'is what Windows calls a directory of this system'],
  ['\\\\wsl$', '/', 'is a path that Windows has for WSL'],
])('%s is not taken, but what to write instead is known: %s (R112, B113)', (path, meant, why) => {
  const place = placeHere(path, UBUNTU);
  expect(place).toEqual({ kind: 'guessed', path: meant, why });
  expect(place.kind !== 'here' && insteadOf(place)).toBe(`write "${meant}"`);
});

test.each([
  ['\\\\server\\share\\x', 'is a network path of Windows', 'mount it first, in WSL with sudo mount -t drvfs "\\\\\\\\server\\\\share" /mnt/NAME, and give that directory'],
  ['\\\\?\\UNC\\server\\share', 'is a network path of Windows', 'mount it first, in WSL with sudo mount -t drvfs "\\\\\\\\server\\\\share" /mnt/NAME, and give that directory'],
  ['\\\\wsl$\\Debian\\home', 'is in another system of WSL, "Debian"', 'this is "Ubuntu", which does not see its files'],
  ['\\\\.\\pipe\\x', 'is a device of Windows', 'give the path of a directory of this machine'],
  ['file://server/share', 'is the URL of a file that is not on this machine', 'give the path of a directory of this machine'],
  ['file:///a%2Fb', 'is the URL of a file that is not on this machine', 'give the path of a directory of this machine'],
])('%s is nowhere here: it %s (B113)', (path, why, hint) => {
  expect(placeHere(path, UBUNTU)).toEqual({ kind: 'nowhere', why, hint });
});

test('where the name of this system is not known, a path into one may be one of ours', () => {
  expect(placeHere('\\\\wsl$\\Debian\\home', USUAL_VIEW)).toEqual({ kind: 'guessed', path: '/home', why: 'is what Windows calls a directory of "Debian"' });
});

test.each([
  ['file:///home/me', '/home/me'],
  ['file://localhost/home/me', '/home/me'],
  ['file:///C:/Users/x', 'C:/Users/x'],
  ['file:///c%3A/Users/x%20y', 'c:/Users/x y'],
  ['file:///c%3a', 'c:'],
  ['file://wsl%24/Ubuntu/home', '//wsl$/Ubuntu/home'],
  ['file://server/share', undefined],
  ['vscode-remote://wsl+ubuntu/home/me', undefined],
  ['file:///%zz', undefined],
  ['nonsense', undefined],
])('%s names %s', (url, path) => {
  expect(pathInUrl(url)).toBe(path);
});

test.each([
  ['[automount]\nroot = /win/\n', '/win/'],
  ['[automount]\r\nroot=/win\r\n', '/win/'],
  ['[automount]\nenabled = true\nroot = "/my drives/" # here\n', '/my drives/'],
  ['[Automount]\n root = /\n', '/'],
  ['[boot]\nsystemd=true\n[automount]\noptions = "metadata"\n', undefined],
  ['[network]\nroot = /win/\n', undefined],
  ['# root = /win/\n[automount]\n#root = /x/\n', undefined],
  ['[automount]\nroot = relative\n', undefined],
  ['', undefined],
])('the root of drives in %j is %s', (configuration, root) => {
  expect(mountRootIn(configuration)).toBe(root);
});
